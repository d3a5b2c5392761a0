/** The steps of a refund request's workflow each time it wakes. The row holds the whole state. */
import { editRow, lockForEditIfExists, now } from '../../database/model/change.js';
import { currentOrganization, oneRow } from '../../database/rows.js';
import { RowMissing } from '../../errors.js';
import { notify } from '../../notifications/notify.js';
import { notifications } from '../notifications.js';
import { closeRefundRequest } from './decideOnRequest.js';
import { RefundRequest } from './RefundRequest.js';

/** The next step of the workflow: wait until the next action is due, or end. */
export type RequestStep =
  | { seconds: number; reminded: boolean }
  | { over: Exclude<RefundRequest['status'], 'pending'> };

const REMIND_AFTER_DAYS = 3;

/**
 * Reminds the administrators of a pending request, and later lets it expire. Each happens only once.
 * @throws RowMissing
 */
export async function followRequest(requestId: string): Promise<RequestStep> {
  const request = await lockForEditIfExists(RefundRequest, requestId);
  if (!request) throw new RowMissing('There is no such request.');
  if (request.status !== 'pending') return { over: request.status };
  const { is_over, is_due, seconds } = await readRequestTimes(requestId);
  if (is_over) {
    await closeRefundRequest(request, 'expired');
    await notify(notifications.refund_decided, [requestId], { actor: null });
    return { over: 'expired' };
  }
  if (is_due && !request.reminded_at) {
    await editRow(request, { reminded_at: now });
    await notify(notifications.refund_requested, [requestId], { cause: 'reminded', actor: null });
  }
  return { seconds, reminded: is_due };
}

const readRequestTimes = (requestId: string) =>
  oneRow<{ is_over: boolean; is_due: boolean; seconds: number }>(
    `SELECT ends <= now() AS is_over, reminds <= now() AS is_due,
            ceil(extract(epoch FROM CASE WHEN reminds > now() THEN reminds ELSE ends END - now()))::int AS seconds
       FROM (SELECT created_at + $3 * interval '1 day' AS reminds, app.refund_request_expires_at(created_at) AS ends
               FROM refund_requests WHERE organization_id = $1 AND id = $2) moments`,
    [currentOrganization(), requestId, REMIND_AFTER_DAYS],
  );

/** Withdraws a request when its workflow is cancelled. */
export async function cancelRefundRequest(requestId: string): Promise<void> {
  const request = await lockForEditIfExists(RefundRequest, requestId);
  if (request?.status === 'pending') await closeRefundRequest(request, 'withdrawn');
}
