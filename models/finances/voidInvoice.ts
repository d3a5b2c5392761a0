import { audit } from '../database/audit.js';
import { firstRow, rows } from '../database/rows.js';
import { refuse } from '../errors.js';
import { reverseCredit } from './credit/reverseCredit.js';
import { financesErrors } from './errors.js';

/**
 * Voids an invoice on which no money stands; credit that was applied to it goes back to its payer.
 * A charge that is on its way is not asked: its allocation goes stale, and the remittance is flagged.
 * @throws Refusal not_found, invoice_void, invoice_has_payments
 */
export async function voidInvoice(invoiceId: string, reason: string): Promise<void> {
  const invoice = await firstRow<{ status: string; paid_cents: number }>(
    'SELECT status, paid_cents FROM chapter_invoices WHERE id = $1 FOR UPDATE',
    [invoiceId],
  );
  if (!invoice) throw refuse.not_found();
  if (invoice.status === 'void') throw financesErrors.invoice_void();
  if (invoice.status === 'paid' || invoice.paid_cents > 0) throw financesErrors.invoice_has_payments();

  const applied = await rows<{ id: string }>(
    `SELECT id FROM chapter_account_credits c WHERE invoice_id = $1 AND kind = 'applied'
        AND NOT EXISTS (SELECT 1 FROM chapter_account_credits r WHERE r.reverses = c.id) ORDER BY id`,
    [invoiceId],
  );
  for (const { id } of applied) await reverseCredit(id, 'The invoice was voided.');
  await rows(
    `UPDATE chapter_invoices SET status = 'void', voided_at = now(), void_reason = $2, balance_due_cents = 0, paid_at = NULL
      WHERE id = $1`,
    [invoiceId, reason],
  );
  await audit({
    action: 'invoice.voided',
    subjectType: 'invoice',
    subjectId: invoiceId,
    before: { status: invoice.status },
    after: { status: 'void', reason },
  });
}
