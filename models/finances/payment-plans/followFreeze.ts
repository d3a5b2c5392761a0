/** What the process of a window does whenever it wakes: the row says all of it, and the predicate alone decides who is dunned. */
import { editRow, lockIfThere, now } from '../../database/model/change.js';
import { currentOrganization, oneRow } from '../../database/rows.js';
import { RowMissing } from '../../errors.js';
import { notify } from '../../notifications/notify.js';
import { resolveNotifications } from '../../notifications/resolve.js';
import { told } from '../notifications.js';
import { PaymentPlanRequest } from './PaymentPlanRequest.js';

/** A window as its process goes on: until the next moment at which there is something to tell, or over. */
export type FreezeStep = { seconds: number; endsSoon: boolean } | { over: 'decided' | 'over' };

/** Reminds those who decide a day before the end, and tells both sides of it, each once. @throws RowMissing */
export async function followFreeze(requestId: string): Promise<FreezeStep> {
  const request = await lockIfThere(PaymentPlanRequest, requestId);
  if (!request) throw new RowMissing('There is no such request.');
  if (request.status !== 'pending') {
    // nobody decided that it lapses: nobody is to decide any more, and nobody has told of it
    if (request.status === 'lapsed') {
      await resolveNotifications('plan_request', requestId);
      await notify(told.plan_decided, [requestId], { actor: null });
    }
    return { over: 'decided' };
  }
  const { is_over, is_soon, seconds } = await momentsOf(requestId);
  if (is_over) {
    if (!request.thawed_at) {
      await editRow(request, { thawed_at: now });
      await notify(told.plan_freeze_over, [requestId], { actor: null });
    }
    return { over: 'over' };
  }
  if (is_soon && !request.reminded_at) {
    await editRow(request, { reminded_at: now });
    await notify(told.plan_freeze_ends_soon, [requestId], { actor: null });
  }
  return { seconds, endsSoon: is_soon };
}

/** Without a window it is over from the beginning. */
const momentsOf = (requestId: string) =>
  oneRow<{ is_over: boolean; is_soon: boolean; seconds: number }>(
    `SELECT coalesce(ends <= now(), true) AS is_over, coalesce(ends - interval '1 day' <= now(), true) AS is_soon,
            coalesce(ceil(extract(epoch FROM CASE WHEN ends - interval '1 day' > now() THEN ends - interval '1 day' ELSE ends END - now())), 0)::int
              AS seconds
       FROM (SELECT app.day_begins(o.timezone, r.freeze_anchor + 3) AS ends FROM payment_plan_requests r
               JOIN organizations o ON o.id = r.organization_id WHERE r.organization_id = $1 AND r.id = $2) moments`,
    [currentOrganization(), requestId],
  );
