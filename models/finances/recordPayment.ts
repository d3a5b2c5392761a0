import { audit } from '../database/audit.js';
import { currentOrganization, firstRow } from '../database/rows.js';
import { found } from '../errors.js';
import { notify } from '../notifications/notify.js';
import { issueCredit } from './credit/issueCredit.js';
import { holdCurrent } from './invoices/holdCurrent.js';
import { told } from './notifications.js';

export interface Payment {
  invoiceId: string;
  processorId: string | null;
  /** The idempotency key: one payment, however often it is told. */
  processorPaymentId: string;
  intentId: string | null;
  amountCents: number;
  paidAt?: Date;
  /** How it came, where no processor took it. */
  byHand?: { method: string; reference: string; received_on: string; recordedBy: string | null };
}

export interface RecordedPayment {
  /** false when it was known already. */
  recorded: boolean;
  /** What was more than was due, and became the payer's credit. */
  creditIssuedCents: number;
}

/**
 * Records money that was paid for an invoice, once. What exceeds the balance becomes the payer's credit;
 * of a void invoice that is all of it, but where its dues were issued anew: there the new one is paid. A payment known as pending or failed rises to succeeded.
 * @throws Refusal not_found when this tenant has no such invoice
 */
export async function recordPayment({
  invoiceId: chargedId,
  processorId,
  processorPaymentId,
  intentId,
  amountCents,
  paidAt,
  byHand,
}: Payment): Promise<RecordedPayment> {
  const invoice = found(await holdCurrent(chargedId));
  const invoiceId = invoice.id;
  const payment = await firstRow<{ id: string }>(
    `INSERT INTO payment_records
       (organization_id, invoice_id, processor_id, processor_payment_id, intent_id, amount_cents, status, paid_at,
        method, reference, received_on, recorded_by, charged_invoice_id)
     VALUES ($1, $2, $3, $4, $5, $6, 'succeeded', coalesce($7, now()), $8, $9, $10, $11, nullif($12::uuid, $2))
     ON CONFLICT ON CONSTRAINT payments_processor_payment_unique DO UPDATE
       SET status = 'succeeded', paid_at = excluded.paid_at, amount_cents = excluded.amount_cents, failure_code = NULL
       WHERE payment_records.status <> 'succeeded' AND payment_records.invoice_id = excluded.invoice_id
     RETURNING id`,
    [
      currentOrganization(),
      invoiceId,
      processorId,
      processorPaymentId,
      intentId,
      amountCents,
      paidAt ?? null,
      byHand?.method ?? null,
      byHand?.reference ?? null,
      byHand?.received_on ?? null,
      byHand?.recordedBy ?? null,
      chargedId,
    ],
  );
  if (!payment) return { recorded: false, creditIssuedCents: 0 };
  await audit({
    action: 'payment.recorded',
    subjectType: 'invoice',
    subjectId: invoiceId,
    after: { payment_id: payment.id, amount_cents: amountCents, ...(byHand && { method: byHand.method }) },
  });
  await notify(told.payment_recorded, [payment.id]);

  // Measured against what was due before it, so that a discount that went too far never comes back as money.
  const creditIssuedCents = Math.max(0, amountCents - invoice.balance_due_cents);
  if (creditIssuedCents > 0) {
    await issueCredit({
      payer: { chapterId: invoice.chapter_id, membershipId: invoice.membership_id },
      amountCents: creditIssuedCents,
      reason: 'A payment was more than was due.',
      from: { paymentRecordId: payment.id, invoiceId },
    });
  }
  return { recorded: true, creditIssuedCents };
}

/** Records that a payment for an invoice failed, once. A payment that has succeeded stays so. */
export async function recordFailedPayment({
  invoiceId,
  processorId,
  processorPaymentId,
  intentId,
  amountCents,
  failureCode = null,
}: Omit<Payment, 'paidAt' | 'byHand'> & { failureCode?: string | null }): Promise<void> {
  const failed = await firstRow<{ id: string }>(
    `INSERT INTO payment_records
       (organization_id, invoice_id, processor_id, processor_payment_id, intent_id, amount_cents, status, failure_code)
     VALUES ($1, $2, $3, $4, $5, $6, 'failed', $7)
     ON CONFLICT ON CONSTRAINT payments_processor_payment_unique DO UPDATE
       SET status = 'failed', failure_code = excluded.failure_code
       WHERE payment_records.status <> 'succeeded'
         AND (payment_records.status, payment_records.failure_code) IS DISTINCT FROM ('failed', excluded.failure_code)
     RETURNING id`,
    [
      currentOrganization(),
      invoiceId,
      processorId,
      processorPaymentId,
      intentId,
      amountCents,
      failureCode?.slice(0, 100) ?? null,
    ],
  );
  if (!failed) return;
  await audit({
    action: 'payment.failed',
    subjectType: 'invoice',
    subjectId: invoiceId,
    after: { payment_id: failed.id, failure_code: failureCode },
  });
  await notify(told.payment_failed, [failed.id]);
}
