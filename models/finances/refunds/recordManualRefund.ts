import { audit } from '../../database/audit.js';
import { currentScope } from '../../database/connection.js';
import { createRow, now } from '../../database/model/change.js';
import { rows } from '../../database/rows.js';
import { notify } from '../../notifications/notify.js';
import { notifications } from '../notifications.js';
import { Refund } from './Refund.js';
import type { RefundablePayment } from './refundable.js';
import { waiveReopened } from './waiveReopened.js';

/**
 * Records that a payment made by hand was refunded by hand. The caller has locked the invoice. @returns the refund's id
 */
export async function recordManualRefund(
  invoiceId: string,
  { paymentId, cents }: RefundablePayment,
  {
    waive = false,
    reason,
    reference,
    requestId,
  }: { waive?: boolean | undefined; reason: string; reference: string; requestId?: string | undefined },
): Promise<string> {
  const waiverId = waive ? await waiveReopened(invoiceId, cents, reason) : null;
  await rows('UPDATE payment_records SET refunded_cents = refunded_cents + $2 WHERE id = $1', [paymentId, cents]);
  const refund = await createRow(Refund, {
    invoice_id: invoiceId,
    payment_record_id: paymentId,
    request_id: requestId ?? null,
    amount_cents: cents,
    status: 'succeeded',
    waives: waive,
    waiver_id: waiverId,
    reason,
    reference,
    requested_by: currentScope().origin.userId as string,
    finished_at: now,
  });
  await audit({
    action: 'payment.refunded',
    subjectType: 'invoice',
    subjectId: invoiceId,
    after: { payment_id: paymentId, refund_id: refund.id, refunded_cents: cents, reference, reason },
  });
  await notify(notifications.payment_refunded, [paymentId], { cause: `refunded:${refund.id}` });
  return refund.id;
}
