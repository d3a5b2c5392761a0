import { audit } from '../../database/audit.js';
import { currentScope } from '../../database/connection.js';
import { lockExclusive } from '../../database/model/change.js';
import { requireFound } from '../../errors.js';
import { financesErrors } from '../errors.js';
import { ChapterInvoice } from '../invoices/ChapterInvoice.js';
import { readAvailableCredit, lockCredit, type Payer } from './payer.js';
import { writeEntry } from './writeEntry.js';

/**
 * Pays an invoice from its payer's credit: the smallest of the balance, the available credit and `upToCents`.
 * @returns the cents that were applied, 0 when nothing is due or there is no credit
 * @throws Refusal not_found, invoice_void
 */
export async function applyCredit(
  invoiceId: string,
  { upToCents = Infinity, reason = 'Applied to an invoice.' } = {},
): Promise<number> {
  const invoice = requireFound(await lockExclusive(ChapterInvoice, invoiceId));
  if (invoice.status === 'void') throw financesErrors.invoice_void();
  const payer = { chapterId: invoice.chapter_id, membershipId: invoice.membership_id };
  await lockCredit(payer);
  const cents = Math.min(invoice.balance_due_cents, await readAvailableCredit(payer), upToCents);
  if (cents <= 0) return 0;
  await applyEntry(payer, invoiceId, cents, reason);
  return cents;
}

/**
 * Writes the entry that pays an invoice from its payer's credit. The caller has checked the credit, and has locked the
 * credit and the invoice.
 * @returns the entry's id
 */
export async function applyEntry(payer: Payer, invoiceId: string, cents: number, reason: string): Promise<string> {
  const id = await writeEntry(payer, {
    kind: 'applied',
    cents,
    invoiceId,
    reason,
    createdBy: currentScope().origin.userId,
  });
  await audit({
    action: 'credit.applied',
    subjectType: 'credit',
    subjectId: id,
    after: { invoice_id: invoiceId, amount_cents: cents },
  });
  return id;
}
