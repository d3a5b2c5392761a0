import { currentOrganization, oneRow } from '../../database/rows.js';
import { setRefundedTotal, type LockedCapture, lockCapture } from '../captures/setRefundedTotal.js';
import { lockChargedInvoices } from '../captures/lockChargedInvoices.js';
import { lockCreditOfCharge } from '../credit/lockCreditOfCharge.js';
import { recordRefund } from '../recordRefund.js';

/**
 * Deducts from a charge's payments the money that disputes withhold, and gives it back once they no longer withhold it,
 * so that the invoices become due or paid again. The result does not depend on the order of events. Unspent credit that
 * came from such a payment is taken back first. Spent credit, and the part of a charge that paid several invoices,
 * become a case that an administrator must allocate.
 */
export async function settleDisputes(processorId: string, intentId: string): Promise<void> {
  const capture = await lockCapture(processorId, intentId);
  if (!capture || (capture.withdrawn_cents === 0 && capture.disputed_cents === 0)) return;
  await lockChargedInvoices(intentId);
  await lockCreditOfCharge(intentId);
  const returnedCents = capture.refunded_cents - capture.disputed_cents;
  const disputedCents = Math.min(capture.withdrawn_cents, capture.amount_cents - returnedCents);
  const deductibleCents = await setRefundedTotal(capture, {
    refundedCents: returnedCents + disputedCents,
    disputedCents,
    ownCents: await sumOwnRefunds(capture),
    wasRead: false,
  });
  await recordRefund({ intentId, refundedCents: deductibleCents, mayBeLess: true, byDispute: true });
}

const sumOwnRefunds = async ({ id }: LockedCapture): Promise<number> =>
  (
    await oneRow<{ cents: number }>(
      `SELECT coalesce(sum(amount_cents), 0)::bigint AS cents FROM refunds
        WHERE organization_id = $1 AND capture_id = $2 AND status = 'succeeded'`,
      [currentOrganization(), id],
    )
  ).cents;
