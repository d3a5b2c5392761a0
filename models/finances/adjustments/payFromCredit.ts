import { invalid } from '../../errors.js';
import { applyEntry } from '../credit/applyCredit.js';
import { readAvailableCredit, lockCredit } from '../credit/payer.js';
import { financesErrors } from '../errors.js';
import { lockLiveInvoice, requireNotBeingPaid, notifyPayer } from './invoiceToChange.js';

/**
 * Pays exactly this amount of an invoice from its payer's credit.
 * @throws Refusal not_found, invoice_void, invoice_being_paid, credit_not_available, validation_error
 */
export async function payFromCredit(invoiceId: string, amountCents: number, reason: string): Promise<void> {
  const invoice = await lockLiveInvoice(invoiceId);
  await requireNotBeingPaid(invoiceId);
  if (amountCents > invoice.balance_due_cents)
    throw invalid('amount_cents', 'This is more than the balance of the invoice.');
  const payer = { chapterId: invoice.chapter_id, membershipId: invoice.membership_id };
  await lockCredit(payer);
  if (amountCents > (await readAvailableCredit(payer))) throw financesErrors.credit_not_available();
  await notifyPayer(invoiceId, await applyEntry(payer, invoiceId, amountCents, reason));
}
