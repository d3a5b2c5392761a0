import { audit } from '../database/audit.js';
import { currentOrganization, firstRow } from '../database/rows.js';
import { refuse } from '../errors.js';

/** Deletes a row that nothing depends on, and writes down what it was. @throws Refusal not_found */
export async function deleteRow(
  table: 'dues_rates' | 'chapter_billing_overrides',
  id: string,
  subjectType: string,
): Promise<void> {
  const before = await firstRow(`DELETE FROM ${table} WHERE organization_id = $1 AND id = $2 RETURNING *`, [
    currentOrganization(),
    id,
  ]);
  if (!before) throw refuse.not_found();
  await audit({ action: `${subjectType}.deleted`, subjectType, subjectId: id, before });
}
