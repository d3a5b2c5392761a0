import { applyEntry } from '../credit/applyCredit.js';
import { readAvailableCredit, lockCredit } from '../credit/payer.js';
import { requireBalance, requireCredit } from '../invoices/changeable.js';
import { lockLiveInvoice, requireNoPendingCharge, notifyPayer } from './invoiceToChange.js';

/**
 * Pays exactly this amount of an invoice from its payer's credit.
 * @throws Refusal not_found, invoice_void, invoice_being_paid, credit_not_available, validation_error
 */
export async function payFromCredit(invoiceId: string, amountCents: number, reason: string): Promise<void> {
  const invoice = await lockLiveInvoice(invoiceId);
  await requireNoPendingCharge(invoiceId);
  requireBalance(invoice.balance_due_cents, amountCents);
  const payer = { chapterId: invoice.chapter_id, membershipId: invoice.membership_id };
  await lockCredit(payer);
  requireCredit(await readAvailableCredit(payer), amountCents);
  await notifyPayer(invoiceId, await applyEntry(payer, invoiceId, amountCents, reason));
}
