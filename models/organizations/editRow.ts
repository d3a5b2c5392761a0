/** Rows that people edit: locked, compared with what the editor saw, changed, and written to the audit log. */
import { type Model, type ModelStatic, Transaction } from 'sequelize';
import { audit } from '../database/audit.js';
import { currentOrganization } from '../database/rows.js';
import { refuse } from '../errors.js';

export type EditableRow = Model & { id: string; version: number };

/** What a client wants changed. `version` is the one that it has seen; without it the last writer wins. */
export type Edit<Fields> = { [Name in keyof Fields]?: Fields[Name] | undefined } & { version?: number | undefined };

/** Loads a row of the tenant for change; a second editor waits. @throws Refusal not_found */
export async function lockRow<Row extends EditableRow>(kind: ModelStatic<Row>, id: string): Promise<Row> {
  const row = await kind.findByPk(id, { lock: Transaction.LOCK.NO_KEY_UPDATE });
  if (!row) throw refuse.not_found();
  return row;
}

/**
 * Changes a locked row and audits the fields that differ. Nothing differs: nothing is written.
 * @param subject what the audit log calls the row
 * @returns the names of the changed fields
 * @throws Refusal stale_version
 */
export async function editRow(
  row: EditableRow,
  subject: string,
  edit: Edit<Record<string, unknown>>,
): Promise<string[]> {
  const { version, ...wanted } = edit;
  if (version !== undefined && version !== row.version) throw refuse.stale_version();
  row.set(wanted);
  const changed = row.changed() || [];
  if (changed.length === 0) return [];
  const before = Object.fromEntries(changed.map((name) => [name, row.previous(name)]));
  const after = Object.fromEntries(changed.map((name) => [name, row.get(name)]));
  await row.save({ returning: true });
  await audit({ action: `${subject}.updated`, subjectType: subject, subjectId: row.id, before, after });
  return changed;
}

/** Inserts a row of the tenant and audits it. @returns its id */
export async function createRow<Row extends EditableRow>(
  kind: ModelStatic<Row>,
  subject: string,
  fields: Record<string, unknown>,
): Promise<string> {
  const row = await kind.create({ ...fields, organization_id: currentOrganization() } as never);
  const { organization_id: _, version: __, ...after } = row.get() as Record<string, unknown>;
  await audit({ action: `${subject}.created`, subjectType: subject, subjectId: row.id, after });
  return row.id;
}
