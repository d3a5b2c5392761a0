import { currentOrganization, oneRow } from '../../database/rows.js';
import { bringTo, type HeldCapture, holdCapture } from '../captures/bringTo.js';
import { lockChargedInvoices } from '../captures/lockChargedInvoices.js';
import { lockCreditOfCharge } from '../credit/lockCreditOfCharge.js';
import { recordRefund } from '../recordRefund.js';

/**
 * Charges what disputes hold of a charge to the payments that it made, and gives back what they hold no more: their invoices are due
 * again, or paid again. It follows from what is on record, in whatever order that came. Credit that came of such a payment goes first, as far as it
 * is unspent; what was spent, and a part of a charge of many, is nobody's: a case until an administrator says whose.
 */
export async function chargeDisputes(processorId: string, intentId: string): Promise<void> {
  const capture = await holdCapture(processorId, intentId);
  if (!capture || (capture.withdrawn_cents === 0 && capture.disputed_cents === 0)) return;
  await lockChargedInvoices(intentId);
  await lockCreditOfCharge(intentId);
  const returnedCents = capture.refunded_cents - capture.disputed_cents;
  const disputedCents = Math.min(capture.withdrawn_cents, capture.amount_cents - returnedCents);
  const ofPaymentsCents = await bringTo(capture, {
    refundedCents: returnedCents + disputedCents,
    disputedCents,
    ownCents: await ownRefunds(capture),
    wasRead: false,
  });
  await recordRefund({ intentId, refundedCents: ofPaymentsCents, mayBeLess: true, byDispute: true });
}

const ownRefunds = async ({ id }: HeldCapture): Promise<number> =>
  (
    await oneRow<{ cents: number }>(
      `SELECT coalesce(sum(amount_cents), 0)::bigint AS cents FROM refunds
        WHERE organization_id = $1 AND capture_id = $2 AND status = 'succeeded'`,
      [currentOrganization(), id],
    )
  ).cents;
