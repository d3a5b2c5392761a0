import { audit, changes } from '../database/audit.js';
import { currentOrganization, firstRow, oneRow } from '../database/rows.js';
import { refuse } from '../errors.js';

export interface RowPatch {
  table: 'org_dues_settings' | 'dues_rates' | 'chapter_billing_overrides';
  /** Column that names the row, and its value. */
  key: readonly [column: 'id' | 'organization_id', value: string];
  /** Columns to set; those that are undefined stay. */
  values: Record<string, unknown>;
  /** The version that the editor saw, if they said. */
  version: number | undefined;
  subjectType: string;
}

/**
 * Changes columns of a row that two people may edit, and writes down what changed. Column names come from code only.
 * @throws Refusal not_found, stale_version
 */
export async function patchRow({ table, key: [column, id], values, version, subjectType }: RowPatch): Promise<void> {
  const where = `organization_id = $1 AND ${column} = $2`;
  const before = await firstRow(`SELECT * FROM ${table} WHERE ${where} FOR UPDATE`, [currentOrganization(), id]);
  if (!before) throw refuse.not_found();
  if (version !== undefined && version !== before['version']) throw refuse.stale_version();
  const given = Object.entries(values).filter(([name, value]) => value !== undefined && value !== before[name]);
  if (given.length === 0) return;
  const sets = given.map(([name], n) => `${name} = $${n + 3}`).join(', ');
  const after = await oneRow(`UPDATE ${table} SET ${sets} WHERE ${where} RETURNING *`, [
    currentOrganization(),
    id,
    ...given.map(([, value]) => value),
  ]);
  const pick = (row: Record<string, unknown>) => Object.fromEntries(given.map(([name]) => [name, row[name]]));
  await audit({ action: `${subjectType}.updated`, subjectType, subjectId: id, ...changes(pick(before), pick(after)) });
}
