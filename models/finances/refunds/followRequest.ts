/** What the process of an asked refund does whenever it wakes: the row says all of it. */
import { editRow, lockIfThere, now } from '../../database/model/change.js';
import { currentOrganization, oneRow } from '../../database/rows.js';
import { RowMissing } from '../../errors.js';
import { notify } from '../../notifications/notify.js';
import { told } from '../notifications.js';
import { closeRequest } from './decideOnRequest.js';
import { RefundRequest } from './RefundRequest.js';

/** A request as its process goes on: until the next moment at which there is something to do, or over. */
export type RequestStep =
  | { seconds: number; reminded: boolean }
  | { over: Exclude<RefundRequest['status'], 'pending'> };

const REMINDED_AFTER_DAYS = 3;
const EXPIRES_AFTER_DAYS = 30;

/** Reminds those who decide, and gives up, each once. @throws RowMissing */
export async function followRequest(requestId: string): Promise<RequestStep> {
  const request = await lockIfThere(RefundRequest, requestId);
  if (!request) throw new RowMissing('There is no such request.');
  if (request.status !== 'pending') return { over: request.status };
  const { is_over, is_due, seconds } = await momentsOf(requestId);
  if (is_over) {
    await closeRequest(request, 'expired');
    await notify(told.refund_decided, [requestId], { actor: null });
    return { over: 'expired' };
  }
  if (is_due && !request.reminded_at) {
    await editRow(request, { reminded_at: now });
    await notify(told.refund_requested, [requestId], { cause: 'reminded', actor: null });
  }
  return { seconds, reminded: is_due };
}

const momentsOf = (requestId: string) =>
  oneRow<{ is_over: boolean; is_due: boolean; seconds: number }>(
    `SELECT ends <= now() AS is_over, reminds <= now() AS is_due,
            ceil(extract(epoch FROM CASE WHEN reminds > now() THEN reminds ELSE ends END - now()))::int AS seconds
       FROM (SELECT created_at + $3 * interval '1 day' AS reminds, created_at + $4 * interval '1 day' AS ends
               FROM refund_requests WHERE organization_id = $1 AND id = $2) moments`,
    [currentOrganization(), requestId, REMINDED_AFTER_DAYS, EXPIRES_AFTER_DAYS],
  );

/** What cancelling its process does: the request is withdrawn. */
export async function callRequestOff(requestId: string): Promise<void> {
  const request = await lockIfThere(RefundRequest, requestId);
  if (request?.status === 'pending') await closeRequest(request, 'withdrawn');
}
