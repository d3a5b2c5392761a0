/** Plans and requests that end since their invoice is void or their payer is gone, and who hears of it. */
import { planFreeze } from '../../../workflows/contracts/index.js';
import { PLAN_CHANGED } from '../../../workflows/contracts/planFreeze.js';
import { enqueue } from '../../database/outbox.js';
import { currentOrganization, rows } from '../../database/rows.js';
import { notify } from '../../notifications/notify.js';
import { told } from '../notifications.js';

/** Holds the invoices of members that owe something, in the order in which everybody locks them. */
const holdInvoicesOf = (membershipIds: readonly string[]): Promise<unknown> =>
  rows(
    `SELECT FROM chapter_invoices WHERE organization_id = $1 AND membership_id = ANY ($2) AND balance_due_cents > 0 ORDER BY id FOR UPDATE`,
    [currentOrganization(), membershipIds],
  );

/**
 * Lapses the open requests of members to pay by instalments. The process of each request tells who asked for it. A debt
 * stays: who still owes may ask again.
 */
export async function lapsePlanRequests(membershipIds: readonly string[]): Promise<void> {
  const whose = [currentOrganization(), membershipIds];
  const open = await rows(
    `SELECT FROM payment_plan_requests WHERE organization_id = $1 AND membership_id = ANY ($2) AND status = 'pending' LIMIT 1`,
    whose,
  );
  if (open.length === 0) return;
  await holdInvoicesOf(membershipIds);
  const lapsed = await rows<{ id: string }>(
    `UPDATE payment_plan_requests SET status = 'lapsed', closed_at = now()
      WHERE organization_id = $1 AND membership_id = ANY ($2) AND status = 'pending' RETURNING id`,
    whose,
  );
  for (const { id } of lapsed) await enqueue(planFreeze, { requestId: id }, { signal: PLAN_CHANGED });
}

/**
 * Nobody of these members pays by instalments any more, or waits to: what was typed to ask for it goes with them. Their invoices are held
 * first, in everybody's order. Whoever asked hears that a request has lapsed from its process, as with any other end.
 * @param reason why a plan ends, as its answers say
 * @returns the plans that have ended, of which nobody has been told yet
 */
export async function endPlansOf(membershipIds: readonly string[], reason: string): Promise<string[]> {
  const whose = [currentOrganization(), membershipIds];
  await holdInvoicesOf(membershipIds);
  await rows(
    `UPDATE payment_plan_requests SET justification = 'Erased', review_notes = CASE WHEN review_notes IS NOT NULL THEN 'Erased' END
      WHERE organization_id = $1 AND membership_id = ANY ($2)`,
    whose,
  );
  await lapsePlanRequests(membershipIds);
  const ended = await rows<{ id: string }>(
    `UPDATE payment_plans SET status = 'cancelled', cancel_reason = $3, ended_at = now()
      WHERE organization_id = $1 AND membership_id = ANY ($2) AND status = 'active' RETURNING id`,
    [...whose, reason],
  );
  return ended.map(({ id }) => id);
}

/** Tells who pays, and who asked for them, that plans are over. Once each. */
export const tellOfEnded = (planIds: readonly string[]): Promise<void> => notify(told.plan_cancelled, planIds);

/** The same of the plan that Postgres has just ended with its invoice, in the transaction that voids it. */
export async function tellOfEndedWith(invoiceId: string): Promise<void> {
  const ended = await rows<{ id: string }>(
    `SELECT id FROM payment_plans WHERE organization_id = $1 AND invoice_id = $2 AND status = 'cancelled' AND ended_at = now()`,
    [currentOrganization(), invoiceId],
  );
  await tellOfEnded(ended.map(({ id }) => id));
}
