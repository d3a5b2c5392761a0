/**
 * The steps of the workflow of a plan request whose invoice is frozen (gets no reminders). They run each time the
 * workflow wakes; the row holds the whole state. Whether an invoice is frozen depends only on `app.invoice_is_frozen`,
 * not on this workflow.
 */
import { editRow, lockForEditIfExists, now } from '../../database/model/change.js';
import { currentOrganization, oneRow } from '../../database/rows.js';
import { RowMissing } from '../../errors.js';
import { notify } from '../../notifications/notify.js';
import { resolveNotifications } from '../../notifications/resolve.js';
import { notifications } from '../notifications.js';
import { PaymentPlanRequest } from './PaymentPlanRequest.js';

/** The next step of the workflow: wait until the next notification is due, or end. */
export type FreezeStep = { seconds: number; endsSoon: boolean } | { over: 'decided' | 'over' };

/**
 * Reminds the reviewers a day before the freeze ends, and notifies the parties when it has ended or the request has
 * lapsed. Each notification is sent once.
 * @returns the workflow's next step
 * @throws RowMissing
 */
export async function followFreeze(requestId: string): Promise<FreezeStep> {
  const request = await lockForEditIfExists(PaymentPlanRequest, requestId);
  if (!request) throw new RowMissing('There is no such request.');
  if (request.status !== 'pending') {
    // A lapsed request was not decided: close the reviewers' notifications, and notify the parties here.
    if (request.status === 'lapsed') {
      await resolveNotifications('plan_request', requestId);
      await notify(notifications.plan_decided, [requestId], { actor: null });
    }
    return { over: 'decided' };
  }
  const { is_over, is_soon, seconds } = await readFreezeTimes(requestId);
  if (is_over) {
    if (!request.thawed_at) {
      await editRow(request, { thawed_at: now });
      await notify(notifications.plan_freeze_over, [requestId], { actor: null });
    }
    return { over: 'over' };
  }
  if (is_soon && !request.reminded_at) {
    await editRow(request, { reminded_at: now });
    await notify(notifications.plan_freeze_ends_soon, [requestId], { actor: null });
  }
  return { seconds, endsSoon: is_soon };
}

/**
 * Reads when a request's freeze ends and when to remind the reviewers of that. For a request without a freeze, the
 * freeze counts as ended.
 */
const readFreezeTimes = (requestId: string) =>
  oneRow<{ is_over: boolean; is_soon: boolean; seconds: number }>(
    `SELECT coalesce(ends <= now(), true) AS is_over, coalesce(ends - interval '1 day' <= now(), true) AS is_soon,
            coalesce(ceil(extract(epoch FROM CASE WHEN ends - interval '1 day' > now() THEN ends - interval '1 day' ELSE ends END - now())), 0)::int
              AS seconds
       FROM (SELECT app.day_begins(o.timezone, r.freeze_anchor + 3) AS ends FROM payment_plan_requests r
               JOIN organizations o ON o.id = r.organization_id WHERE r.organization_id = $1 AND r.id = $2) moments`,
    [currentOrganization(), requestId],
  );
