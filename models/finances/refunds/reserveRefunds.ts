import { refund as refundProcess } from '../../../workflows/contracts/index.js';
import { audit } from '../../database/audit.js';
import { currentScope } from '../../database/connection.js';
import { changeRow, createRow, now } from '../../database/model/change.js';
import { enqueue } from '../../database/outbox.js';
import { invalid } from '../../errors.js';
import { ProcessorCapture } from '../captures/ProcessorCapture.js';
import { financesErrors } from '../errors.js';
import { giveBackByHand } from './giveBackByHand.js';
import { Refund } from './Refund.js';
import { holdRefundable, type Refundable } from './refundable.js';

export interface WantedRefund {
  /** Left out: all that can be given back. */
  amount_cents?: number | null | undefined;
  /** Left out: whichever is the newest, and those before it. */
  payment?: string | null | undefined;
  waive?: boolean | undefined;
  reason: string;
  /** How it goes back that was paid by hand. */
  reference?: string | null | undefined;
  /** The request that an administrator has approved. */
  requestId?: string | undefined;
  /** Whether whoever asks may hear how much there is. */
  tellsAmounts?: boolean;
}

export interface Reserved {
  refunds: string[];
  /** Of those that a provider is asked for. */
  workflowIds: string[];
}

/**
 * Reserves what is to go back, one refund a payment, the newest payment first, and hands each to its process; what was paid by hand
 * is given back by record at once. Of two who want the same money one gets it.
 * @throws Refusal not_found, invoice_void, nothing_to_refund, refund_exceeds_refundable, validation_error
 */
export async function reserveRefunds(invoiceId: string, wanted: WantedRefund): Promise<Reserved> {
  const { payments } = await holdRefundable(invoiceId);
  return reserveParts(invoiceId, partsOf(payments, wanted), wanted);
}

/** The same for what was looked up already, and is held. */
export async function reserveParts(invoiceId: string, parts: Refundable[], wanted: WantedRefund): Promise<Reserved> {
  const reserved: Reserved = { refunds: [], workflowIds: [] };
  for (const part of parts) {
    const { captureId } = part;
    if (captureId === null) {
      reserved.refunds.push(
        await giveBackByHand(invoiceId, part, { ...wanted, reference: wanted.reference as string }),
      );
      continue;
    }
    const refundId = await reserve(invoiceId, { ...part, captureId }, wanted);
    reserved.refunds.push(refundId);
    reserved.workflowIds.push(await enqueue(refundProcess, { refundId }));
  }
  return reserved;
}

/**
 * What goes back of which payment.
 * @throws Refusal nothing_to_refund, refund_exceeds_refundable, validation_error
 */
export function partsOf(payments: Refundable[], wanted: WantedRefund): Refundable[] {
  const { amount_cents, payment, reference, tellsAmounts } = wanted;
  const meant = payments.filter(({ paymentId }) => !payment || paymentId === payment);
  const most = centsOf(meant);
  if (most === 0) throw financesErrors.nothing_to_refund();
  let left = amount_cents ?? most;
  if (left > most)
    throw financesErrors.refund_exceeds_refundable(
      tellsAmounts ? `At most ${most} cents can be given back.` : undefined,
    );
  const parts: Refundable[] = [];
  for (const of of meant) {
    const cents = Math.min(of.cents, left);
    if (cents > 0) parts.push({ ...of, cents });
    left -= cents;
  }
  if (!reference && parts.some(({ captureId }) => captureId === null))
    throw invalid('reference', 'This was paid by hand: say how it was given back.');
  return parts;
}

/** Together. */
export const centsOf = (parts: Refundable[]): number => parts.reduce((sum, { cents }) => sum + cents, 0);

async function reserve(
  invoiceId: string,
  { paymentId, captureId, cents }: Refundable & { captureId: string },
  { waive = false, reason, reference = null, requestId }: WantedRefund,
): Promise<string> {
  // From now on the provider itself is asked about this charge: no sum in an event tells whose refund it is of.
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
