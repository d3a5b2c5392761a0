import { currentOrganization, rows } from '../../database/rows.js';

interface FoundLine {
  id: string;
  /** It is of the person; else it is somebody else's, and names an address of theirs. */
  own: boolean;
}

/**
 * Lines that say something of somebody, until the transaction ends: of their memberships, of their addresses, and those that hold one in
 * any cell, which are theirs where nobody has said yet what cells mean. Whoever is going to lock the person's memberships too calls it
 * before: an import holds its lines, in this order, then their memberships, then whom they name.
 */
export const lockImportedLines = (userId: string, provenAddresses: string[]): Promise<FoundLine[]> =>
  rows<FoundLine>(
    `WITH own AS (
       SELECT r.id FROM bulk_import_rows r JOIN memberships m ON m.organization_id = $1 AND m.id = r.membership_id
        WHERE r.organization_id = $1 AND m.user_id = $2
       UNION SELECT id FROM bulk_import_rows WHERE organization_id = $1 AND email = ANY ($3)),
     naming AS (
       SELECT id FROM bulk_import_rows WHERE organization_id = $1 AND cardinality($3::text[]) > 0
          AND EXISTS (SELECT FROM jsonb_array_elements_text(cells) AS cell WHERE lower(btrim(cell)) = ANY ($3)))
     SELECT r.id, r.email IS NULL OR r.id IN (SELECT id FROM own) AS own FROM bulk_import_rows r
      WHERE r.organization_id = $1 AND r.cells <> '[]' AND r.id IN (SELECT id FROM own UNION SELECT id FROM naming)
      ORDER BY r.import_id, r.line FOR NO KEY UPDATE OF r`,
    [currentOrganization(), userId, provenAddresses],
  );

/**
 * What lines of imports say of somebody goes with the person; what became of each stays, by id. Lines of others lose the address alone.
 * The files themselves are gone since their lines were read. A second run finds nothing to do.
 * @param lines as `lockImportedLines` has found them
 * @returns how many changed
 */
export async function eraseImportedLines(lines: readonly FoundLine[], provenAddresses: string[]): Promise<number> {
  const idsOf = (isOwn: boolean) => lines.filter(({ own }) => own === isOwn).map(({ id }) => id);
  const [own, others] = [idsOf(true), idsOf(false)];
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
      `UPDATE bulk_import_rows SET cells = (
           SELECT jsonb_agg(CASE WHEN lower(btrim(cell)) = ANY ($3) THEN '' ELSE cell END ORDER BY place)
             FROM jsonb_array_elements_text(cells) WITH ORDINALITY AS each (cell, place))
        WHERE organization_id = $1 AND id = ANY ($2)`,
      [currentOrganization(), others, provenAddresses],
    );
  return lines.length;
}
