import { invalid } from '../../errors.js';
import { applyEntry } from '../credit/applyCredit.js';
import { availableCredit, lockCredit } from '../credit/payer.js';
import { financesErrors } from '../errors.js';
import { holdStanding, requireNotBeingPaid, tellPayer } from './invoiceToChange.js';

/**
 * Pays exactly so much of an invoice from its own payer's credit.
 * @throws Refusal not_found, invoice_void, invoice_being_paid, credit_not_available, validation_error
 */
export async function payFromCredit(invoiceId: string, amountCents: number, reason: string): Promise<void> {
  const invoice = await holdStanding(invoiceId);
  await requireNotBeingPaid(invoiceId);
  if (amountCents > invoice.balance_due_cents) throw invalid('amount_cents', 'This is more than is due.');
  const payer = { chapterId: invoice.chapter_id, membershipId: invoice.membership_id };
  await lockCredit(payer);
  if (amountCents > (await availableCredit(payer))) throw financesErrors.credit_not_available();
  await tellPayer(invoiceId, await applyEntry(payer, invoiceId, amountCents, reason));
}
