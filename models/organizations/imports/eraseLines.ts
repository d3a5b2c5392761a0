import { currentOrganization, rows } from '../../database/rows.js';

/**
 * What lines of imports say of somebody goes with the person, also where nobody has said yet what their cells mean; what became of each stays, by id. The files themselves are gone
 * since their lines were read. A second run finds nothing to do.
 * @returns how many changed
 */
export async function eraseImportedLines(userId: string, provenAddresses: string[]): Promise<number> {
  const erased = await rows(
    `UPDATE bulk_import_rows r
        SET cells = '[]', given = '{}', email = NULL, name_key = NULL, errors = '{}', warnings = '[]', changes = '{}',
            before = CASE WHEN r.before IS NULL THEN NULL ELSE '{}'::jsonb END,
            outcome = CASE WHEN r.outcome IS NULL THEN NULL ELSE 'error' END
       FROM (SELECT q.id FROM bulk_import_rows q
              WHERE q.organization_id = $1 AND q.cells <> '[]' AND (q.email = ANY ($3) OR q.membership_id IN (
                SELECT id FROM memberships WHERE organization_id = $1 AND user_id = $2)
                OR EXISTS (SELECT FROM jsonb_array_elements_text(q.cells) AS cell WHERE lower(btrim(cell)) = ANY ($3)))
              ORDER BY q.import_id, q.line FOR NO KEY UPDATE) found
      WHERE r.organization_id = $1 AND r.id = found.id RETURNING 1`,
    [currentOrganization(), userId, provenAddresses],
  );
  return erased.length;
}
