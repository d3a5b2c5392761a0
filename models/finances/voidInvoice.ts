import { audit } from '../database/audit.js';
import { editRow, holdRow, now } from '../database/model/change.js';
import { currentOrganization, rows } from '../database/rows.js';
import { found } from '../errors.js';
import { issueCredit } from './credit/issueCredit.js';
import type { Payer } from './credit/payer.js';
import { reverseApplied } from './credit/reverseCredit.js';
import { financesErrors } from './errors.js';
import { ChapterInvoice } from './invoices/ChapterInvoice.js';
import { tellOfEndedWith } from './payment-plans/endPlans.js';

const REASON = 'The invoice was voided.';

/**
 * Voids an invoice. What was paid on it becomes its payer's credit, and credit that was applied to it is credit again:
 * nothing stands on a void invoice. A charge that is on its way is not asked: its allocation goes stale, and the
 * remittance is flagged.
 * @throws Refusal not_found, invoice_void
 */
export async function voidInvoice(invoiceId: string, reason: string): Promise<void> {
  const invoice = found(await holdRow(ChapterInvoice, invoiceId));
  const { status } = invoice;
  if (status === 'void') throw financesErrors.invoice_void();
  await editRow(invoice, { voided_at: now, void_reason: reason });
  await tellOfEndedWith(invoiceId);
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

/** Each payment keeps backing what comes from it, so that its refund takes it back. @returns the cents that became credit */
async function convertPayments(invoiceId: string, payer: Payer): Promise<number> {
  const standing = await rows<{ id: string; cents: number }>(
    `SELECT id, cents FROM (
       SELECT id, amount_cents - refunded_cents - app.credit_of_payment(organization_id, id) AS cents FROM payment_records
        WHERE organization_id = $1 AND invoice_id = $2 AND status = 'succeeded') payments
      WHERE cents > 0 ORDER BY id`,
    [currentOrganization(), invoiceId],
  );
  for (const { id, cents } of standing) {
    await issueCredit({ payer, amountCents: cents, reason: REASON, from: { paymentRecordId: id, invoiceId } });
  }
  return standing.reduce((sum, { cents }) => sum + cents, 0);
}
