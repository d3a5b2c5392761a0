/** The steps of a bulk action's process on its rows: pages of targets, their claims and outcomes. */
import { changeRow, lockForEditIfExists, now } from '../../database/model/change.js';
import { loadIfExists } from '../../database/model/read.js';
import { currentOrganization, firstRow, rows } from '../../database/rows.js';
import { RowMissing } from '../../errors.js';
import { isStillAdmin } from '../../foundation/config/isStillAdmin.js';
import { holdsRight, STOPPED_RIGHT_LOST } from '../../organizations/holdsRight.js';
import { type BulkActionEnd, endBulkAction, settleInterrupted } from './endBulkAction.js';
import { ProcessBulkAction } from './ProcessBulkAction.js';
import { ProcessBulkActionTarget, type TargetOutcome } from './ProcessBulkActionTarget.js';

export interface Target {
  id: string;
  workflow_id: string;
}

/** A page of targets without a claim; with a status other than `running`, the bulk action has ended. */
interface TargetPage {
  bulkAction: ProcessBulkAction;
  status: 'running' | BulkActionEnd;
  targets: Target[];
}

/** Number of targets of a page, between two checks of the person's right. */
const PAGE_SIZE = 20;

/**
 * Reads the next page of targets, or ends the bulk action: when no target is left, when it was stopped, and when the
 * person who confirmed it lost the right to it. A target that an earlier run claimed without recording an outcome gets
 * the outcome `unknown`.
 * @throws RowMissing
 */
export async function beginPage(id: string): Promise<TargetPage> {
  const bulkAction = await lockForEditIfExists(ProcessBulkAction, id);
  if (!bulkAction) throw new RowMissing('There is no such bulk action.');
  const { status } = bulkAction;
  if (status !== 'running' && status !== 'stopping') return { bulkAction, status, targets: [] };
  const endAs = async (end: BulkActionEnd): Promise<TargetPage> => {
    await endBulkAction(bulkAction, end);
    return { bulkAction, status: end, targets: [] };
  };
  await settleInterrupted(id);
  if (status === 'stopping') return endAs('stopped');
  if (!(await mayStillAct(bulkAction))) return endAs(STOPPED_RIGHT_LOST);
  const targets = await rows<Target>(
    `SELECT id, workflow_id FROM process_bulk_action_targets
      WHERE organization_id = $1 AND bulk_action_id = $2 AND outcome IS NULL ORDER BY sequence LIMIT ${PAGE_SIZE}`,
    [currentOrganization(), id],
  );
  return targets.length === 0 ? endAs('done') : { bulkAction, status, targets };
}

/**
 * Reports whether the person who confirmed the bulk action may still retry and cancel processes of its kinds. Platform
 * administrators may for all kinds.
 */
async function mayStillAct({ requested_by: userId, audiences }: ProcessBulkAction): Promise<boolean> {
  if (await holdsRight({ userId, authority: 'organization', organizationId: null })) return true;
  if (audiences.includes('foundation') && !(await isStillAdmin(userId))) return false;
  return audiences.every((audience) => audience === 'foundation') || holdsRight({ userId, authority: 'organization' });
}

/**
 * Claims a target, in the transaction of its audit entry. The lock keeps the bulk action from ending before the claim is
 * committed.
 * @returns false if the target was claimed before, if it has an outcome, and if the bulk action has ended
 */
export const claimTarget = async (id: string): Promise<boolean> =>
  (await firstRow(
    `UPDATE process_bulk_action_targets t SET claimed_at = now()
      WHERE organization_id = $1 AND id = $2 AND claimed_at IS NULL AND outcome IS NULL AND EXISTS (
        SELECT FROM process_bulk_actions a
         WHERE a.organization_id = t.organization_id AND a.id = t.bulk_action_id AND a.ended_at IS NULL FOR SHARE)
      RETURNING id`,
    [currentOrganization(), id],
  )) !== null;

/** Records the outcome of a target, unless it has one. */
export async function recordOutcome(id: string, outcome: TargetOutcome, refusalCode: string | null): Promise<void> {
  await changeRow(
    ProcessBulkActionTarget,
    { id, outcome: null },
    { outcome, refusal_code: refusalCode, finished_at: now },
  );
}

/**
 * Records the outcome `unknown` of a target that is claimed: its process may have been retried or cancelled.
 * @returns false if the target is not claimed
 */
export async function recordUnknown(id: string): Promise<boolean> {
  const target = await loadIfExists(ProcessBulkActionTarget, { id });
  if (!target?.claimed_at) return false;
  await recordOutcome(id, 'unknown', null);
  return true;
}
