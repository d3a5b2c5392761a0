/** Ends plans and plan requests when their invoice is void or their payer is gone, and notifies the parties. */
import { planFreeze } from '../../../workflows/contracts/index.js';
import { PLAN_CHANGED } from '../../../workflows/contracts/planFreeze.js';
import { enqueue } from '../../database/outbox.js';
import { currentOrganization, rows } from '../../database/rows.js';
import { notify } from '../../notifications/notify.js';
import { notifications } from '../notifications.js';

/** Locks members' unpaid invoices by id, the order that all transactions use. */
const lockUnpaidInvoices = (membershipIds: readonly string[]): Promise<unknown> =>
  rows(
    `SELECT FROM chapter_invoices WHERE organization_id = $1 AND membership_id = ANY ($2) AND balance_due_cents > 0 ORDER BY id FOR UPDATE`,
    [currentOrganization(), membershipIds],
  );

/**
 * Lapses members' open plan requests. The workflow of each request notifies its requester. The debt stays, and the
 * member may request again.
 */
export async function lapsePlanRequests(membershipIds: readonly string[]): Promise<void> {
  const values = [currentOrganization(), membershipIds];
  const open = await rows(
    `SELECT FROM payment_plan_requests WHERE organization_id = $1 AND membership_id = ANY ($2) AND status = 'pending' LIMIT 1`,
    values,
  );
  if (open.length === 0) return;
  await lockUnpaidInvoices(membershipIds);
  const lapsed = await rows<{ id: string }>(
    `UPDATE payment_plan_requests SET status = 'lapsed', closed_at = now()
      WHERE organization_id = $1 AND membership_id = ANY ($2) AND status = 'pending' RETURNING id`,
    values,
  );
  for (const { id } of lapsed) await enqueue(planFreeze, { requestId: id }, { signal: PLAN_CHANGED });
}

/**
 * Ends all plans and open plan requests of members, and erases the texts of their requests. It first locks their
 * invoices by id, as all transactions do. The workflow of each request notifies its requester that it lapsed.
 * @param reason the reason that ended plans show
 * @returns the ended plans, which the caller must still notify
 */
export async function endMemberPlans(membershipIds: readonly string[], reason: string): Promise<string[]> {
  const values = [currentOrganization(), membershipIds];
  await lockUnpaidInvoices(membershipIds);
  await rows(
    `UPDATE payment_plan_requests SET justification = 'Erased', review_notes = CASE WHEN review_notes IS NOT NULL THEN 'Erased' END
      WHERE organization_id = $1 AND membership_id = ANY ($2)`,
    values,
  );
  await lapsePlanRequests(membershipIds);
  const ended = await rows<{ id: string }>(
    `UPDATE payment_plans SET status = 'cancelled', cancel_reason = $3, ended_at = now()
      WHERE organization_id = $1 AND membership_id = ANY ($2) AND status = 'active' RETURNING id`,
    [...values, reason],
  );
  return ended.map(({ id }) => id);
}

/** Notifies payers and requesters that plans have ended, once each. */
export const notifyPlansEnded = (planIds: readonly string[]): Promise<void> =>
  notify(notifications.plan_cancelled, planIds);

/** Notifies about the plan that Postgres has ended with its invoice, in the transaction that voids the invoice. */
export async function notifyPlanEndedWithInvoice(invoiceId: string): Promise<void> {
  const ended = await rows<{ id: string }>(
    `SELECT id FROM payment_plans WHERE organization_id = $1 AND invoice_id = $2 AND status = 'cancelled' AND ended_at = now()`,
    [currentOrganization(), invoiceId],
  );
  await notifyPlansEnded(ended.map(({ id }) => id));
}
