/** What the process of a bulk approval does: one request a transaction, until all are done or somebody has called it off. */
import { audit } from '../../database/audit.js';
import { changeRow, editRow, lockIfThere, now } from '../../database/model/change.js';
import { loadIfThere } from '../../database/model/read.js';
import { currentOrganization, firstRow } from '../../database/rows.js';
import { Refusal, RowMissing } from '../../errors.js';
import { holdsRight, STOPPED_RIGHT_LOST } from '../../organizations/holdsRight.js';
import { requestErrors } from '../../organizations/requests/errors.js';
import { readDuesSettings } from '../dues-settings/duesSettings.js';
import { approve, holdRequest } from './decideOnPlan.js';
import { inTheWay } from './inTheWay.js';
import { PlanBulkApproval } from './PlanBulkApproval.js';
import { PlanBulkApprovalLine } from './PlanBulkApprovalLine.js';

/** Who confirmed it, and acts. @throws RowMissing */
export async function whoApproves(approvalId: string): Promise<string> {
  const run = await loadIfThere(PlanBulkApproval, { id: approvalId });
  if (!run) throw new RowMissing('There is no such bulk approval.');
  return run.requested_by;
}

/**
 * Grants the next request, or writes down why not. Run again, or by two at once, it grants nothing twice. Stops when the
 * person who confirmed may not decide that request any more.
 * @returns `approving`: there may be more
 * @throws RowMissing
 */
export async function grantNext(approvalId: string): Promise<PlanBulkApproval['status']> {
  const run = await lockIfThere(PlanBulkApproval, approvalId);
  if (!run) throw new RowMissing('There is no such bulk approval.');
  if (run.status !== 'approving') return run.status;
  const line = await firstRow<{ id: string; request_id: string; chapter_id: string }>(
    `SELECT l.id, l.request_id, r.chapter_id FROM plan_bulk_approval_lines l
       JOIN payment_plan_requests r ON r.organization_id = l.organization_id AND r.id = l.request_id
      WHERE l.organization_id = $1 AND l.approval_id = $2 AND l.result IS NULL ORDER BY l.sequence LIMIT 1`,
    [currentOrganization(), approvalId],
  );
  if (!line) {
    await editRow(run, { status: 'approved', ended_at: now });
    return 'approved';
  }
  if (!(await mayReview(run.requested_by, line.chapter_id))) {
    await editRow(run, { status: STOPPED_RIGHT_LOST, ended_at: now });
    await noteEnd(approvalId, STOPPED_RIGHT_LOST);
    return STOPPED_RIGHT_LOST;
  }
  const result = await grant(line.request_id, run.requested_by);
  await changeRow(PlanBulkApprovalLine, { id: line.id, result: null }, { result });
  await editRow(run, { lines_done: run.lines_done + 1 });
  return 'approving';
}

/** Whether a person may decide requests of a chapter. Regional administrators may where the organization allows it. */
async function mayReview(userId: string, chapterId: string): Promise<boolean> {
  const hand = (await readDuesSettings()).plan_regional_approval ? 'region' : 'organization';
  return holdsRight({ userId, hand, chapterId });
}

/** Grants a request just as it was asked for, or says what is in the way by now. */
async function grant(requestId: string, userId: string): Promise<NonNullable<PlanBulkApprovalLine['result']>> {
  try {
    const { request, invoice } = await holdRequest(requestId);
    const reason = await inTheWay(requestId, userId);
    if (reason) return reason;
    await approve(request, invoice, request.schedule, userId);
    return 'approved';
  } catch (error) {
    if (error instanceof Refusal && error.code === requestErrors.request_closed.code) return 'decided';
    throw error;
  }
}

const noteEnd = (id: string, end: 'cancelled' | typeof STOPPED_RIGHT_LOST): Promise<void> =>
  audit({ action: `plan_bulk_approval.${end}`, subjectType: 'plan_bulk_approval', subjectId: id });

/** No further request is granted; what was stays. Again changes nothing. */
export async function cancelBulkApproval(approvalId: string): Promise<void> {
  if (
    await changeRow(PlanBulkApproval, { id: approvalId, status: 'approving' }, { status: 'cancelled', ended_at: now })
  )
    await noteEnd(approvalId, 'cancelled');
}

/**
 * The same from outside of its process. A request that is being granted has the row locked, and is not waited for: the process, asked to
 * end, calls off what is left after it.
 */
export async function stopBulkApproval(approvalId: string): Promise<void> {
  const stopped = await firstRow(
    `UPDATE plan_bulk_approvals SET status = 'cancelled', ended_at = now()
      WHERE id = (SELECT id FROM plan_bulk_approvals WHERE id = $1 AND status = 'approving' FOR NO KEY UPDATE SKIP LOCKED) RETURNING id`,
    [approvalId],
  );
  if (stopped) await noteEnd(approvalId, 'cancelled');
}
