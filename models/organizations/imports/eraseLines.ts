import { currentOrganization, rows } from '../../database/rows.js';
import { withoutAddresses } from './addressesInText.js';

/** What a line says in its own words. */
type Said = Record<'cells' | 'given' | 'changes' | 'before' | 'person_before', unknown>;
const SAID = ['cells', 'given', 'changes', 'before', 'person_before'] as const;

interface FoundLine {
  id: string;
  /** It is of the person; else it is somebody else's, and names an address of theirs. */
  own: boolean;
  /** Without the person's addresses; null of a line of the person. */
  rest: Said | null;
}

/**
 * Locks the lines about a person: those of their memberships, those with one of their addresses, and those whose texts contain
 * one. A line of the last kind counts as theirs where it has no address of its own. A caller that also locks the person's
 * memberships calls this first, because imports lock their lines, then memberships, then people.
 */
export async function lockImportedLines(userId: string, provenAddresses: string[]): Promise<FoundLine[]> {
  const found = await rows<{ id: string; own: boolean; unknown: boolean; said: Said }>(
    `WITH own AS (
       SELECT r.id FROM bulk_import_rows r JOIN memberships m ON m.organization_id = $1 AND m.id = r.membership_id
        WHERE r.organization_id = $1 AND m.user_id = $2
       UNION SELECT id FROM bulk_import_rows WHERE organization_id = $1 AND email = ANY ($3)),
     -- more than those that name an address: which of them do is decided where patterns are understood
     naming AS (
       SELECT r.id FROM bulk_import_rows r WHERE r.organization_id = $1 AND cardinality($3::text[]) > 0
          AND EXISTS (SELECT FROM unnest($3::text[]) AS address
                       WHERE strpos(lower(concat(${SAID.map((column) => `r.${column}`).join(', ')})), address) > 0))
     SELECT r.id, r.id IN (SELECT id FROM own) AS own, r.email IS NULL AS unknown,
            json_build_object(${SAID.map((column) => `'${column}', r.${column}`).join(', ')}) AS said
       FROM bulk_import_rows r
      WHERE r.organization_id = $1 AND r.cells <> '[]' AND r.id IN (SELECT id FROM own UNION SELECT id FROM naming)
      ORDER BY r.import_id, r.line FOR NO KEY UPDATE OF r`,
    [currentOrganization(), userId, provenAddresses],
  );
  return found.flatMap(({ id, own, unknown, said }): FoundLine[] => {
    if (own) return [{ id, own, rest: null }];
    const rest = withoutAddresses(said, provenAddresses);
    if (rest === said) return [];
    return unknown ? [{ id, own: true, rest: null }] : [{ id, own, rest }];
  });
}

/**
 * What lines of imports say of somebody goes with the person; what became of each stays, by id. Lines of others lose the address alone.
 * The files themselves are gone since their lines were read. A second run finds nothing to do.
 * @param lines as `lockImportedLines` has found them
 * @returns how many changed
 */
export async function eraseImportedLines(lines: readonly FoundLine[]): Promise<number> {
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
      `UPDATE bulk_import_rows r SET ${SAID.map((column) => `${column} = nullif(j.rest -> '${column}', 'null')`).join(', ')}
         FROM jsonb_to_recordset($2) AS j (id uuid, rest jsonb) WHERE r.organization_id = $1 AND r.id = j.id`,
      [currentOrganization(), JSON.stringify(others)],
    );
  return lines.length;
}
