import { changeRow, lockForEdit, now } from '../../database/model/change.js';
import { organizationsErrors } from '../errors.js';
import { audit } from '../../database/audit.js';
import { RosterExport } from './RosterExport.js';

/**
 * Cancels an export: no further batch is read, and the rows written so far are discarded. Repeating it changes nothing.
 */
export async function stopExport(id: string): Promise<void> {
  const ended = { status: 'cancelled', ended_at: now } as const;
  if (!(await changeRow(RosterExport, { id, status: 'running' }, ended))) return;
  await audit({ action: 'roster_export.cancelled', subjectType: 'roster_export', subjectId: id });
}

/** Cancels an export for an admin. @throws Refusal not_found, export_ended */
export async function cancelExport(id: string): Promise<void> {
  if ((await lockForEdit(RosterExport, id)).status !== 'running') throw organizationsErrors.export_ended();
  await stopExport(id);
}
