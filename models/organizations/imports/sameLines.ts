/** Earlier lines of an import that name the same person. */
import { currentOrganization, rows } from '../../database/rows.js';
import type { Line } from './lines.js';

export interface Same {
  /** An earlier line of the same person in the same chapter. */
  line: number | null;
  /** An earlier one of somebody with another address and the same name. */
  nameLine: number | null;
}

interface Named {
  line: Line;
  nameKey: string | null;
}

interface First {
  kind: 'email' | 'membership' | 'name';
  key: string;
  chapter_id: string | null;
  email: string | null;
  line: number;
}

/** For lines that are kept, in their order, as many statements for a page as for one. */
export async function findSame(importId: string, page: readonly Named[]): Promise<Map<string, Same>> {
  const firsts = new Map<string, First[]>();
  for (const first of await firstLines(importId, page)) {
    const key = keyOf(first.kind, first.key, first.chapter_id);
    firsts.set(key, [...(firsts.get(key) ?? []), first]);
  }
  const people = new Map<string, number>();
  return new Map(
    page.map(({ line: { id, line, email, chapter_id, account_id, membership }, nameKey }) => {
      const earlier = (kind: First['kind'], key: string | null | undefined, chapter: string | null) =>
        (firsts.get(keyOf(kind, key, chapter)) ?? []).filter((first) => first.line < line);
      // Two addresses may be one person's; of lines of other pages their membership says so.
      const person = account_id !== null && chapter_id !== null ? `${account_id} ${chapter_id}` : null;
      const onPage = person === null ? undefined : people.get(person);
      if (person !== null && onPage === undefined) people.set(person, line);
      const [first] = [...earlier('email', email, chapter_id), ...earlier('membership', membership?.id, null)];
      const named = email === null ? undefined : earlier('name', nameKey, chapter_id).find((of) => of.email !== email);
      return [id, { line: first?.line ?? onPage ?? null, nameLine: named?.line ?? null }];
    }),
  );
}

const keyOf = (kind: First['kind'], key: string | null | undefined, chapter: string | null): string =>
  `${kind} ${chapter} ${key}`;

/**
 * The first lines of addresses and memberships, and of names with two different addresses. All of a page are sought at once:
 * Postgres, which knows little of what has just been written, may read the import for it, but not for each line.
 */
const firstLines = (importId: string, page: readonly Named[]): Promise<First[]> =>
  rows<First>(
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
      page.map(({ line }) => line.email),
      page.map(({ line }) => line.membership?.id ?? null),
      page.map(({ nameKey }) => nameKey),
    ],
  );
