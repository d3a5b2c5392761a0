import { audit } from '../../database/audit.js';
import { createRow, editRow, lockIfThere, now } from '../../database/model/change.js';
import { readRow } from '../../database/model/read.js';
import { InvoiceDiscount } from '../adjustments/InvoiceDiscount.js';
import { ChapterInvoice } from '../invoices/ChapterInvoice.js';

/**
 * Takes off a held invoice what a refund is about to make due again; goes before the refund is written, so that nothing is due
 * in between. @returns the discount's id; null where the lines are discounted already, or the invoice is void
 */
export async function waiveReopened(invoiceId: string, cents: number, reason: string): Promise<string | null> {
  const { status, total_cents, discount_cents } = await readRow(ChapterInvoice, invoiceId);
  const amount = Math.min(cents, total_cents - discount_cents);
  if (status === 'void' || amount <= 0) return null;
  const waiver = { invoice_id: invoiceId, amount_cents: amount, category: 'waiver', reason };
  const { id } = await createRow(InvoiceDiscount, waiver);
  await audit({
    action: 'discount.granted',
    subjectType: 'invoice',
    subjectId: invoiceId,
    after: { discount_id: id, amount_cents: amount, category: 'waiver' },
  });
  return id;
}

/** The refund did not arrive: its payment pays again, and nothing is waived. Goes before the payment counts again. */
export async function unwaive(invoiceId: string, waiverId: string): Promise<void> {
  const waiver = await lockIfThere(InvoiceDiscount, waiverId);
  if (!waiver || waiver.voided_at) return;
  await editRow(waiver, { voided_at: now, void_reason: 'The refund did not arrive.' });
  await audit({
    action: 'discount.voided',
    subjectType: 'invoice',
    subjectId: invoiceId,
    after: { discount_id: waiverId, amount_cents: waiver.amount_cents },
  });
}
