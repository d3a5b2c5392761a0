import { audit } from '../../database/audit.js';
import { changeRow, editRow, lockForEditIfExists, now } from '../../database/model/change.js';
import { currentOrganization, rows } from '../../database/rows.js';
import { ProcessBulkAction } from './ProcessBulkAction.js';

/** How a bulk action ends. */
export type BulkActionEnd = Exclude<ProcessBulkAction['status'], 'running' | 'stopping'>;

/** Ends a locked bulk action. Targets without an outcome are left as they are. */
export async function endBulkAction(bulkAction: ProcessBulkAction, end: BulkActionEnd): Promise<void> {
  await editRow(bulkAction, { status: end, ended_at: now });
  if (end === 'done') return;
  await audit({
    action: `process_bulk_action.${end}`,
    subjectType: 'process_bulk_action',
    subjectId: bulkAction.id,
  });
}

/**
 * Gives claimed targets without an outcome the outcome `unknown`: the worker that claimed them died before it recorded
 * one.
 */
export async function settleInterrupted(bulkActionId: string): Promise<void> {
  await rows(
    `UPDATE process_bulk_action_targets SET outcome = 'unknown', finished_at = now()
      WHERE organization_id = $1 AND bulk_action_id = $2 AND claimed_at IS NOT NULL AND outcome IS NULL`,
    [currentOrganization(), bulkActionId],
  );
}

/** Makes a running bulk action end before its next page of targets. Repeated, it changes nothing. */
export async function requestStop(bulkActionId: string): Promise<void> {
  await changeRow(ProcessBulkAction, { id: bulkActionId, status: 'running' }, { status: 'stopping' });
}

/** Ends a bulk action whose process does not run, or is about to end. Repeated, it changes nothing. */
export async function stopNow(bulkActionId: string): Promise<void> {
  const bulkAction = await lockForEditIfExists(ProcessBulkAction, bulkActionId);
  if (!bulkAction || bulkAction.ended_at !== null) return;
  await settleInterrupted(bulkActionId);
  await endBulkAction(bulkAction, 'stopped');
}
