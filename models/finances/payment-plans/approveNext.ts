/**
 * The steps of a bulk approval's workflow: one request per transaction, until all are processed or the approval is
 * cancelled.
 */
import { audit } from '../../database/audit.js';
import { changeRow, editRow, lockForEditIfExists, now } from '../../database/model/change.js';
import { loadIfExists } from '../../database/model/read.js';
import { currentOrganization, firstRow } from '../../database/rows.js';
import { Refusal, RowMissing } from '../../errors.js';
import { holdsRight, STOPPED_RIGHT_LOST } from '../../organizations/holdsRight.js';
import { requestErrors } from '../../organizations/requests/errors.js';
import { readDuesSettings } from '../dues-settings/duesSettings.js';
import { approvePlan, lockPendingRequest } from './decideOnPlan.js';
import { findObstacle } from './approvalObstacles.js';
import { PlanBulkApproval } from './PlanBulkApproval.js';
import { PlanBulkApprovalLine } from './PlanBulkApprovalLine.js';

/** Returns the user who confirmed the bulk approval, for whom the workflow acts. @throws RowMissing */
export async function readApprover(approvalId: string): Promise<string> {
  const run = await loadIfExists(PlanBulkApproval, { id: approvalId });
  if (!run) throw new RowMissing('There is no such bulk approval.');
  return run.requested_by;
}

/**
 * Approves the next request, or records why it is skipped. Repeated or concurrent calls approve nothing twice. If the
 * approver may no longer decide that request, the bulk approval stops.
 * @returns `approving` when requests may remain
 * @throws RowMissing
 */
export async function approveNext(approvalId: string): Promise<PlanBulkApproval['status']> {
  const approval = await lockForEditIfExists(PlanBulkApproval, approvalId);
  if (!approval) throw new RowMissing('There is no such bulk approval.');
  if (approval.status !== 'approving') return approval.status;
  const line = await firstRow<{ id: string; request_id: string; chapter_id: string }>(
    `SELECT l.id, l.request_id, r.chapter_id FROM plan_bulk_approval_lines l
       JOIN payment_plan_requests r ON r.organization_id = l.organization_id AND r.id = l.request_id
      WHERE l.organization_id = $1 AND l.approval_id = $2 AND l.result IS NULL ORDER BY l.sequence LIMIT 1`,
    [currentOrganization(), approvalId],
  );
  if (!line) {
    await editRow(approval, { status: 'approved', ended_at: now });
    return 'approved';
  }
  if (!(await mayReview(approval.requested_by, line.chapter_id))) {
    await editRow(approval, { status: STOPPED_RIGHT_LOST, ended_at: now });
    await auditEnd(approvalId, STOPPED_RIGHT_LOST);
    return STOPPED_RIGHT_LOST;
  }
  const result = await tryApprove(line.request_id, approval.requested_by);
  await changeRow(PlanBulkApprovalLine, { id: line.id, result: null }, { result });
  await editRow(approval, { lines_done: approval.lines_done + 1 });
  return 'approving';
}

/**
 * Reports whether a person may decide requests of a chapter. Regional administrators may, if the organization's
 * settings allow it.
 */
async function mayReview(userId: string, chapterId: string): Promise<boolean> {
  const authority = (await readDuesSettings()).plan_regional_approval ? 'region' : 'organization';
  return holdsRight({ userId, authority, chapterId });
}

/** Approves a request exactly as requested, or returns why it cannot be. */
async function tryApprove(requestId: string, userId: string): Promise<NonNullable<PlanBulkApprovalLine['result']>> {
  try {
    const { request, invoice } = await lockPendingRequest(requestId);
    const reason = await findObstacle(requestId, userId);
    if (reason) return reason;
    await approvePlan(request, invoice, request.schedule, userId);
    return 'approved';
  } catch (error) {
    if (error instanceof Refusal && error.code === requestErrors.request_closed.code) return 'decided';
    throw error;
  }
}

const auditEnd = (id: string, end: 'cancelled' | typeof STOPPED_RIGHT_LOST): Promise<void> =>
  audit({ action: `plan_bulk_approval.${end}`, subjectType: 'plan_bulk_approval', subjectId: id });

/** Cancels a bulk approval; approved requests stay approved. Repeated, it changes nothing. */
export async function cancelBulkApproval(approvalId: string): Promise<void> {
  if (
    await changeRow(PlanBulkApproval, { id: approvalId, status: 'approving' }, { status: 'cancelled', ended_at: now })
  )
    await auditEnd(approvalId, 'cancelled');
}

/**
 * Cancels a bulk approval, unless its workflow is approving a request at this moment and therefore holds the lock of
 * the approval's row. In that case this function changes nothing: the workflow also receives the cancellation, and
 * cancels the remaining requests after that one.
 */
export async function tryCancelBulkApproval(approvalId: string): Promise<void> {
  const cancelled = await firstRow(
    `UPDATE plan_bulk_approvals SET status = 'cancelled', ended_at = now()
      WHERE id = (SELECT id FROM plan_bulk_approvals WHERE id = $1 AND status = 'approving' FOR NO KEY UPDATE SKIP LOCKED) RETURNING id`,
    [approvalId],
  );
  if (cancelled) await auditEnd(approvalId, 'cancelled');
}
