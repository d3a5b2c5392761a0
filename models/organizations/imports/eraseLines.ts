import { currentOrganization, rows } from '../../database/rows.js';
import { withoutAddresses } from './addressesInText.js';

/** Columns of a line that hold its content. */
type LineContent = Record<'cells' | 'given' | 'changes' | 'before' | 'person_before', unknown>;
const CONTENT_COLUMNS = ['cells', 'given', 'changes', 'before', 'person_before'] as const;

interface LineAboutPerson {
  id: string;
  /**
   * True: the line is about this person. False: it is about another person, and only contains one of this person's
   * addresses.
   */
  own: boolean;
  /** The content without the person's addresses; null if the line is the person's own. */
  rest: LineContent | null;
}

/**
 * Locks the lines about a person: lines of their memberships, lines with one of their addresses as the member's
 * address, and lines whose texts contain one of their addresses. A line of the last kind counts as the person's own
 * only if it gives no member's address. A caller that also locks the person's memberships calls this first, because
 * imports lock their lines, then memberships, then people.
 */
export async function lockImportedLines(userId: string, verifiedAddresses: string[]): Promise<LineAboutPerson[]> {
  const matches = await rows<{ id: string; own: boolean; unknown: boolean; said: LineContent }>(
    `WITH own AS (
       SELECT r.id FROM bulk_import_rows r JOIN memberships m ON m.organization_id = $1 AND m.id = r.membership_id
        WHERE r.organization_id = $1 AND m.user_id = $2
       UNION SELECT id FROM bulk_import_rows WHERE organization_id = $1 AND email = ANY ($3)),
     -- this CTE finds more lines than needed; withoutAddresses decides afterwards which of them really contain an
     -- address
     naming AS (
       SELECT r.id FROM bulk_import_rows r WHERE r.organization_id = $1 AND cardinality($3::text[]) > 0
          AND EXISTS (SELECT FROM unnest($3::text[]) AS address
                       WHERE strpos(lower(concat(${CONTENT_COLUMNS.map((column) => `r.${column}`).join(', ')})), address) > 0))
     SELECT r.id, r.id IN (SELECT id FROM own) AS own, r.email IS NULL AS unknown,
            json_build_object(${CONTENT_COLUMNS.map((column) => `'${column}', r.${column}`).join(', ')}) AS said
       FROM bulk_import_rows r
      WHERE r.organization_id = $1 AND r.cells <> '[]' AND r.id IN (SELECT id FROM own UNION SELECT id FROM naming)
      ORDER BY r.import_id, r.line FOR NO KEY UPDATE OF r`,
    [currentOrganization(), userId, verifiedAddresses],
  );
  return matches.flatMap(({ id, own, unknown, said }): LineAboutPerson[] => {
    if (own) return [{ id, own, rest: null }];
    const rest = withoutAddresses(said, verifiedAddresses);
    if (rest === said) return [];
    return unknown ? [{ id, own: true, rest: null }] : [{ id, own, rest }];
  });
}

/**
 * Erases what import lines say about a person; the lines stay with their ids and results. Lines about other people lose
 * only this person's addresses. The uploaded files need no erasure here, because each was removed after its lines were
 * read. Repeating it changes nothing.
 * @param lines as `lockImportedLines` returned them
 * @returns how many lines changed
 */
export async function eraseImportedLines(lines: readonly LineAboutPerson[]): Promise<number> {
  const own = lines.filter((line) => line.own).map(({ id }) => id);
  const others = lines.filter((line) => !line.own);
  if (own.length > 0)
    await rows(
      `UPDATE bulk_import_rows
          SET cells = '[]', given = '{}', email = NULL, name_key = NULL, errors = '{}', warnings = '[]', changes = '{}',
              before = CASE WHEN before IS NULL THEN NULL ELSE '{}'::jsonb END, person_before = NULL, fields_left = '{}',
              outcome = CASE WHEN outcome IS NULL THEN NULL ELSE 'error' END
        WHERE organization_id = $1 AND id = ANY ($2)`,
      [currentOrganization(), own],
    );
  if (others.length > 0)
    await rows(
      `UPDATE bulk_import_rows r SET ${CONTENT_COLUMNS.map((column) => `${column} = nullif(j.rest -> '${column}', 'null')`).join(', ')}
         FROM jsonb_to_recordset($2) AS j (id uuid, rest jsonb) WHERE r.organization_id = $1 AND r.id = j.id`,
      [currentOrganization(), JSON.stringify(others)],
    );
  return lines.length;
}
