import { audit } from '../database/audit.js';
import { editRow, lockExclusive, now } from '../database/model/change.js';
import { currentOrganization, rows } from '../database/rows.js';
import { requireFound } from '../errors.js';
import { issueCredit } from './credit/issueCredit.js';
import type { Payer } from './credit/payer.js';
import { reverseApplied } from './credit/reverseCredit.js';
import { requireLive } from './invoices/changeable.js';
import { ChapterInvoice } from './invoices/ChapterInvoice.js';
import { notifyPlanEndedWithInvoice } from './payment-plans/endPlans.js';

const REASON = 'The invoice was voided.';

/**
 * Voids an invoice. Its payments become its payer's credit, and credit that was applied to it becomes available again,
 * so that a void invoice holds no money. A pending charge is not stopped: its allocation becomes stale, and the
 * remittance is flagged.
 * @throws Refusal not_found, invoice_void
 */
export async function voidInvoice(invoiceId: string, reason: string): Promise<void> {
  const invoice = requireFound(await lockExclusive(ChapterInvoice, invoiceId));
  requireLive(invoice);
  const { status } = invoice;
  await editRow(invoice, { voided_at: now, void_reason: reason });
  await notifyPlanEndedWithInvoice(invoiceId);
  const payer = { chapterId: invoice.chapter_id, membershipId: invoice.membership_id };
  await audit({
    action: 'invoice.voided',
    subjectType: 'invoice',
    subjectId: invoiceId,
    before: { status },
    after: {
      status: 'void',
      reason,
      returned_credit_cents: await reverseApplied(invoiceId, REASON),
      converted_cents: await convertPayments(invoiceId, payer),
    },
  });
}

/**
 * Turns the invoice's payments into credit. Each entry names its payment, so that a refund of the payment takes the
 * credit back. @returns the cents that became credit
 */
async function convertPayments(invoiceId: string, payer: Payer): Promise<number> {
  const payments = await rows<{ id: string; cents: number }>(
    `SELECT id, cents FROM (
       SELECT id, amount_cents - refunded_cents - app.credit_of_payment(organization_id, id) AS cents FROM payment_records
        WHERE organization_id = $1 AND invoice_id = $2 AND status = 'succeeded') payments
      WHERE cents > 0 ORDER BY id`,
    [currentOrganization(), invoiceId],
  );
  for (const { id, cents } of payments) {
    await issueCredit({ payer, amountCents: cents, reason: REASON, from: { paymentRecordId: id, invoiceId } });
  }
  return payments.reduce((sum, { cents }) => sum + cents, 0);
}
