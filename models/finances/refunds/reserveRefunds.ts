import { refund as refundProcess } from '../../../workflows/contracts/index.js';
import { audit } from '../../database/audit.js';
import { currentScope } from '../../database/connection.js';
import { changeRow, createRow, now } from '../../database/model/change.js';
import { enqueue } from '../../database/outbox.js';
import { invalid } from '../../errors.js';
import { ProcessorCapture } from '../captures/ProcessorCapture.js';
import { financesErrors } from '../errors.js';
import { requireRefundable } from '../invoices/changeable.js';
import { recordManualRefund } from './recordManualRefund.js';
import { Refund } from './Refund.js';
import { lockRefundable, type RefundablePayment } from './refundable.js';

export interface RequestedRefund {
  /** Amount to refund; default: everything that is refundable. */
  amount_cents?: number | null | undefined;
  /** Id of the payment to refund; default: all payments, the newest first. */
  payment?: string | null | undefined;
  waive?: boolean | undefined;
  reason: string;
  /** For a payment made by hand: how it was refunded, in words. */
  reference?: string | null | undefined;
  /** Id of the request that an administrator has approved. */
  requestId?: string | undefined;
  /** Whether error messages may state the refundable amount to the requester. */
  mayTellAmounts?: boolean;
}

export interface ReservedRefunds {
  refunds: string[];
  /** Workflow ids of the refunds that go through a provider. */
  workflowIds: string[];
}

/**
 * Reserves refunds, one per payment, newest payment first, and starts a workflow for each. Payments made by hand are
 * recorded as refunded at once. Of concurrent requests for the same money, one succeeds.
 * @throws Refusal not_found, invoice_void, nothing_to_refund, refund_exceeds_refundable, validation_error
 */
export async function reserveRefunds(invoiceId: string, requested: RequestedRefund): Promise<ReservedRefunds> {
  const { payments } = await lockRefundable(invoiceId);
  return reserveParts(invoiceId, divideAmongPayments(payments, requested), requested);
}

/** Reserves refunds of payments that the caller has already read and locked. */
export async function reserveParts(
  invoiceId: string,
  parts: RefundablePayment[],
  requested: RequestedRefund,
): Promise<ReservedRefunds> {
  const reserved: ReservedRefunds = { refunds: [], workflowIds: [] };
  for (const part of parts) {
    const { captureId } = part;
    if (captureId === null) {
      reserved.refunds.push(
        await recordManualRefund(invoiceId, part, { ...requested, reference: requested.reference as string }),
      );
      continue;
    }
    const refundId = await reserveRefund(invoiceId, { ...part, captureId }, requested);
    reserved.refunds.push(refundId);
    reserved.workflowIds.push(await enqueue(refundProcess, { refundId }));
  }
  return reserved;
}

/**
 * Divides the requested refund among the payments.
 * @throws Refusal nothing_to_refund, refund_exceeds_refundable, validation_error
 */
export function divideAmongPayments(payments: RefundablePayment[], requested: RequestedRefund): RefundablePayment[] {
  const { amount_cents, payment, reference, mayTellAmounts } = requested;
  const candidates = payments.filter(({ paymentId }) => !payment || paymentId === payment);
  const maxCents = totalCents(candidates);
  requireRefundable(maxCents);
  let remaining = amount_cents ?? maxCents;
  if (remaining > maxCents)
    throw financesErrors.refund_exceeds_refundable(
      mayTellAmounts ? `At most ${maxCents} cents can be refunded.` : undefined,
    );
  const parts: RefundablePayment[] = [];
  for (const candidate of candidates) {
    const cents = Math.min(candidate.cents, remaining);
    if (cents > 0) parts.push({ ...candidate, cents });
    remaining -= cents;
  }
  if (!reference && parts.some(({ captureId }) => captureId === null))
    throw invalid('reference', 'This payment was recorded by hand. Enter how it was refunded.');
  return parts;
}

/** Returns the total in cents. */
export const totalCents = (parts: RefundablePayment[]): number => parts.reduce((sum, { cents }) => sum + cents, 0);

async function reserveRefund(
  invoiceId: string,
  { paymentId, captureId, cents }: RefundablePayment & { captureId: string },
  { waive = false, reason, reference = null, requestId }: RequestedRefund,
): Promise<string> {
  // From now on, read the refunds of this charge from the provider. A webhook event contains only a total, which does
  // not show which refund it includes.
  await changeRow(ProcessorCapture, { id: captureId, refunds_read_at: null }, { refunds_read_at: now });
  const { id } = await createRow(Refund, {
    invoice_id: invoiceId,
    payment_record_id: paymentId,
    capture_id: captureId,
    request_id: requestId ?? null,
    amount_cents: cents,
    status: 'reserved',
    waives: waive,
    reason,
    reference,
    requested_by: currentScope().origin.userId as string,
  });
  await audit({
    action: 'refund.reserved',
    subjectType: 'invoice',
    subjectId: invoiceId,
    after: { refund_id: id, payment_id: paymentId, amount_cents: cents, waives: waive, reason },
  });
  return id;
}
