/** Finds earlier lines of the same import that name the person whom a line names. */
import { currentOrganization, rows } from '../../database/rows.js';
import type { Line } from './lines.js';

export interface SamePersonLines {
  /** Number of an earlier line about the same person in the same chapter. */
  line: number | null;
  /** Number of an earlier line with the same name and another address. */
  nameLine: number | null;
}

interface NamedLine {
  line: Line;
  nameKey: string | null;
}

interface FirstLine {
  kind: 'email' | 'membership' | 'name';
  key: string;
  chapter_id: string | null;
  email: string | null;
  line: number;
}

/**
 * For each line of a batch, finds an earlier line of the import about the same person, and one with the same name but
 * another address. The number of statements does not depend on the number of lines.
 */
export async function findSamePersonLines(
  importId: string,
  batch: readonly NamedLine[],
): Promise<Map<string, SamePersonLines>> {
  const firstLinesByKey = new Map<string, FirstLine[]>();
  for (const first of await firstLines(importId, batch)) {
    const key = keyOf(first.kind, first.key, first.chapter_id);
    firstLinesByKey.set(key, [...(firstLinesByKey.get(key) ?? []), first]);
  }
  const people = new Map<string, number>();
  return new Map(
    batch.map(({ line: { id, line, email, chapter_id, account_id, membership }, nameKey }) => {
      const earlier = (kind: FirstLine['kind'], key: string | null | undefined, chapter: string | null) =>
        (firstLinesByKey.get(keyOf(kind, key, chapter)) ?? []).filter((first) => first.line < line);
      // Within the batch, accounts are compared in addition to addresses, because the address in each of two lines may
      // belong to the same account. For lines of earlier batches, comparing memberships finds such cases.
      const person = account_id !== null && chapter_id !== null ? `${account_id} ${chapter_id}` : null;
      const inBatch = person === null ? undefined : people.get(person);
      if (person !== null && inBatch === undefined) people.set(person, line);
      const [first] = [...earlier('email', email, chapter_id), ...earlier('membership', membership?.id, null)];
      const sameName =
        email === null
          ? undefined
          : earlier('name', nameKey, chapter_id).find((candidate) => candidate.email !== email);
      return [id, { line: first?.line ?? inBatch ?? null, nameLine: sameName?.line ?? null }];
    }),
  );
}

const keyOf = (kind: FirstLine['kind'], key: string | null | undefined, chapter: string | null): string =>
  `${kind} ${chapter} ${key}`;

/**
 * Finds the first line of each address and of each membership, and for each name the first two lines that have
 * different addresses. One query serves the whole batch, because Postgres has no statistics about rows that were just
 * written and may scan the whole import: once is acceptable, once for each line is not.
 */
const firstLines = (importId: string, batch: readonly NamedLine[]): Promise<FirstLine[]> =>
  rows<FirstLine>(
    `SELECT 'email' AS kind, email AS key, chapter_id, NULL AS email, min(line) AS line FROM bulk_import_rows
      WHERE organization_id = $1 AND import_id = $2 AND email = ANY ($3) AND chapter_id IS NOT NULL GROUP BY email, chapter_id
     UNION ALL
     SELECT 'membership', membership_id::text, NULL, NULL, min(line) FROM bulk_import_rows
      WHERE organization_id = $1 AND import_id = $2 AND membership_id = ANY ($4) GROUP BY membership_id
     UNION ALL
     SELECT 'name', name_key, chapter_id, email, line FROM (
       SELECT name_key, chapter_id, email, min(line) AS line,
              row_number() OVER (PARTITION BY name_key, chapter_id ORDER BY min(line)) AS place FROM bulk_import_rows
        WHERE organization_id = $1 AND import_id = $2 AND name_key = ANY ($5) AND chapter_id IS NOT NULL AND email IS NOT NULL
        GROUP BY name_key, chapter_id, email) named
      WHERE place <= 2
      ORDER BY line`,
    [
      currentOrganization(),
      importId,
      batch.map(({ line }) => line.email),
      batch.map(({ line }) => line.membership?.id ?? null),
      batch.map(({ nameKey }) => nameKey),
    ],
  );
