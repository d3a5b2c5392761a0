import { currentScope } from '../../database/connection.js';
import { currentOrganization, firstRow } from '../../database/rows.js';
import { invalid, refuse } from '../../errors.js';
import { readToday } from '../../organizations/readToday.js';
import { recordPayment } from '../recordPayment.js';
import { lockLiveInvoice, requireNoPendingCharge } from './invoiceToChange.js';

/** Payment methods outside of any processor. */
export const METHODS = ['cash', 'check', 'bank_transfer', 'other'] as const;

export type PaymentMethod = (typeof METHODS)[number];

export interface PaymentByHand {
  amount_cents: number;
  method: PaymentMethod;
  reference: string;
  received_on: string;
  idempotency_key: string;
}

/**
 * Records a payment that was made outside of any processor, once per idempotency key. The part that exceeds the balance
 * becomes the payer's credit.
 * @returns the payment, and whether it was recorded before
 * @throws Refusal not_found, invoice_void, invoice_being_paid, idempotency_mismatch, validation_error for a date in the
 * future
 */
export async function payByHand(
  invoiceId: string,
  payment: PaymentByHand,
): Promise<{ paymentId: string; repeated: boolean }> {
  // Look for the payment of an earlier request with this key first: a repeated request gets the response of the first
  // one, even if the invoice was voided since.
  const existingId = (await findRecorded(invoiceId, payment)) ?? (await lockAndFindRecorded(invoiceId, payment));
  if (existingId) return { paymentId: existingId, repeated: true };
  if (payment.received_on > (await readToday())) throw invalid('received_on', 'This date is in the future.');
  await requireNoPendingCharge(invoiceId);
  const { recorded } = await recordPayment({
    invoiceId,
    processorId: null,
    processorPaymentId: keyOf(payment),
    intentId: null,
    amountCents: payment.amount_cents,
    byHand: { ...payment, recordedBy: currentScope().origin.userId },
  });
  // Nothing was recorded, because a concurrent request has used the key for another invoice.
  if (!recorded) throw refuse.idempotency_mismatch('This idempotency key was used for a different payment.');
  return { paymentId: (await findRecorded(invoiceId, payment)) as string, repeated: false };
}

/**
 * Locks the invoice, so that the second of two concurrent requests finds the payment of the first. @throws Refusal
 * not_found, invoice_void
 */
async function lockAndFindRecorded(invoiceId: string, payment: PaymentByHand): Promise<string | null> {
  await lockLiveInvoice(invoiceId);
  return findRecorded(invoiceId, payment);
}

const keyOf = ({ idempotency_key }: PaymentByHand): string => `manual:${idempotency_key}`;

/**
 * Finds the payment that was recorded under the request's idempotency key.
 * @returns its id, or null if the key is unused
 * @throws Refusal idempotency_mismatch if the key was used for a different payment
 */
async function findRecorded(invoiceId: string, payment: PaymentByHand): Promise<string | null> {
  const { amount_cents, method, reference, received_on } = payment;
  const existing = await firstRow<{ id: string; same: boolean }>(
    `SELECT id, (coalesce(charged_invoice_id, invoice_id), amount_cents, method, reference, received_on) IS NOT DISTINCT FROM
                ($3::uuid, $4::bigint, $5::text, $6::text, $7::date) AS same
       FROM payment_records WHERE organization_id = $1 AND processor_payment_id = $2`,
    [currentOrganization(), keyOf(payment), invoiceId, amount_cents, method, reference, received_on],
  );
  if (existing && !existing.same)
    throw refuse.idempotency_mismatch('This idempotency key was used for a different payment.');
  return existing?.id ?? null;
}
