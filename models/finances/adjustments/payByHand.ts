import { currentScope } from '../../database/connection.js';
import { currentOrganization, firstRow, oneRow } from '../../database/rows.js';
import { invalid, refuse } from '../../errors.js';
import { recordPayment } from '../recordPayment.js';
import { holdStanding, requireNotBeingPaid } from './invoiceToChange.js';

/** How money comes that no processor takes. */
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
 * Records money that came past any processor, once for its key; what is more than is due becomes the payer's credit.
 * @returns the payment, and whether it had been recorded before
 * @throws Refusal not_found, invoice_void, invoice_being_paid, idempotency_mismatch, validation_error for a day to come
 */
export async function payByHand(
  invoiceId: string,
  payment: PaymentByHand,
): Promise<{ paymentId: string; repeated: boolean }> {
  // What was recorded before the invoice was voided is answered as it was.
  const before = (await recordedBefore(invoiceId, payment)) ?? (await recordedMeanwhile(invoiceId, payment));
  if (before) return { paymentId: before, repeated: true };
  const { today } = await oneRow<{ today: string }>('SELECT app.today()::text AS today');
  if (payment.received_on > today) throw invalid('received_on', 'This day has not come yet.');
  await requireNotBeingPaid(invoiceId);
  const { recorded } = await recordPayment({
    invoiceId,
    processorId: null,
    processorPaymentId: keyOf(payment),
    intentId: null,
    amountCents: payment.amount_cents,
    byHand: { ...payment, recordedBy: currentScope().origin.userId },
  });
  // Somebody has used the key for another invoice just now.
  if (!recorded) throw refuse.idempotency_mismatch('This key stands for another payment.');
  return { paymentId: (await recordedBefore(invoiceId, payment)) as string, repeated: false };
}

/** Holds the invoice: of two at once the second finds what the first recorded. @throws Refusal not_found, invoice_void */
async function recordedMeanwhile(invoiceId: string, payment: PaymentByHand): Promise<string | null> {
  await holdStanding(invoiceId);
  return recordedBefore(invoiceId, payment);
}

const keyOf = ({ idempotency_key }: PaymentByHand): string => `manual:${idempotency_key}`;

/** @returns the id of the payment that its key stands for, if there is one. @throws Refusal idempotency_mismatch */
async function recordedBefore(invoiceId: string, payment: PaymentByHand): Promise<string | null> {
  const { amount_cents, method, reference, received_on } = payment;
  const known = await firstRow<{ id: string; same: boolean }>(
    `SELECT id, (coalesce(charged_invoice_id, invoice_id), amount_cents, method, reference, received_on) IS NOT DISTINCT FROM
                ($3::uuid, $4::bigint, $5::text, $6::text, $7::date) AS same
       FROM payment_records WHERE organization_id = $1 AND processor_payment_id = $2`,
    [currentOrganization(), keyOf(payment), invoiceId, amount_cents, method, reference, received_on],
  );
  if (known && !known.same) throw refuse.idempotency_mismatch('This key stands for another payment.');
  return known?.id ?? null;
}
