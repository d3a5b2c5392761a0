import { currentOrganization, rows } from '../../database/rows.js';

/** Of a person's memberships, of their addresses, and those that hold one where nobody has said yet what the cells mean. Each its own look-up. */
const IDS = `
  SELECT r.id FROM bulk_import_rows r JOIN memberships m ON m.organization_id = $1 AND m.id = r.membership_id
   WHERE r.organization_id = $1 AND m.user_id = $2
  UNION SELECT id FROM bulk_import_rows WHERE organization_id = $1 AND email = ANY ($3)
  UNION SELECT id FROM bulk_import_rows WHERE organization_id = $1 AND cardinality($3::text[]) > 0
     AND EXISTS (SELECT FROM jsonb_array_elements_text(cells) AS cell WHERE lower(btrim(cell)) = ANY ($3))`;

/**
 * Lines that say something of somebody, until the transaction ends. Whoever is going to lock the person's memberships too calls it
 * before: an import holds its lines, in this order, then their memberships, then whom they name.
 */
export const lockImportedLines = async (userId: string, provenAddresses: string[]): Promise<string[]> =>
  (
    await rows<{ id: string }>(
      `SELECT id FROM bulk_import_rows WHERE organization_id = $1 AND cells <> '[]' AND id IN (${IDS})
        ORDER BY import_id, line FOR NO KEY UPDATE`,
      [currentOrganization(), userId, provenAddresses],
    )
  ).map(({ id }) => id);

/**
 * What lines of imports say of somebody goes with the person; what became of each stays, by id. The files themselves are gone
 * since their lines were read. A second run finds nothing to do.
 * @returns how many changed
 */
export async function eraseImportedLines(userId: string, provenAddresses: string[]): Promise<number> {
  const lines = await lockImportedLines(userId, provenAddresses);
  if (lines.length === 0) return 0;
  await rows(
    `UPDATE bulk_import_rows
        SET cells = '[]', given = '{}', email = NULL, name_key = NULL, errors = '{}', warnings = '[]', changes = '{}',
            before = CASE WHEN before IS NULL THEN NULL ELSE '{}'::jsonb END, person_before = NULL, fields_left = '{}',
            outcome = CASE WHEN outcome IS NULL THEN NULL ELSE 'error' END
      WHERE organization_id = $1 AND id = ANY ($2)`,
    [currentOrganization(), lines],
  );
  return lines.length;
}
