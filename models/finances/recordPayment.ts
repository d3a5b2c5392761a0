import { audit } from '../database/audit.js';
import { currentOrganization, firstRow } from '../database/rows.js';
import { requireFound } from '../errors.js';
import { notify } from '../notifications/notify.js';
import { issueCredit } from './credit/issueCredit.js';
import { lockCurrentInvoice } from './invoices/lockCurrentInvoice.js';
import { notifications } from './notifications.js';

export interface Payment {
  invoiceId: string;
  processorId: string | null;
  /**
   * Id of the payment at the processor. It is the idempotency key: a payment is recorded once, however often it is
   * reported.
   */
  processorPaymentId: string;
  intentId: string | null;
  amountCents: number;
  paidAt?: Date;
  /** Details of a payment that no processor took. */
  byHand?: { method: string; reference: string; received_on: string; recordedBy: string | null };
}

export interface RecordedPayment {
  /** Whether the payment is new. */
  recorded: boolean;
  /** The part that exceeded the balance and became the payer's credit. */
  creditIssuedCents: number;
}

/**
 * Records a payment of an invoice, once. The part that exceeds the balance becomes the payer's credit. If the invoice
 * is void, the whole payment becomes credit; but if the dues of the void invoice were reissued, the payment pays the
 * new invoice. A payment recorded as pending or failed becomes succeeded.
 * @throws Refusal not_found when this tenant has no such invoice
 */
export async function recordPayment({
  invoiceId: chargedInvoiceId,
  processorId,
  processorPaymentId,
  intentId,
  amountCents,
  paidAt,
  byHand,
}: Payment): Promise<RecordedPayment> {
  const invoice = requireFound(await lockCurrentInvoice(chargedInvoiceId));
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
      chargedInvoiceId,
    ],
  );
  if (!payment) return { recorded: false, creditIssuedCents: 0 };
  await audit({
    action: 'payment.recorded',
    subjectType: 'invoice',
    subjectId: invoiceId,
    after: { payment_id: payment.id, amount_cents: amountCents, ...(byHand && { method: byHand.method }) },
  });
  await notify(notifications.payment_recorded, [payment.id]);

  // The surplus is measured against the balance before this payment. Otherwise a discount that exceeds the balance
  // would become credit.
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

/** Records a failed payment of an invoice, once. A succeeded payment stays succeeded. */
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
  await notify(notifications.payment_failed, [failed.id]);
}
