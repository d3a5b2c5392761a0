import { audit } from '../../database/audit.js';
import { createRow, editRow, lockForEditIfExists, now } from '../../database/model/change.js';
import { readRow } from '../../database/model/read.js';
import { InvoiceDiscount } from '../adjustments/InvoiceDiscount.js';
import { ChapterInvoice } from '../invoices/ChapterInvoice.js';

/**
 * Grants a discount for the amount that a refund is about to make due again. Call it before the refund is written, so
 * that nothing is due in between. The caller has locked the invoice. @returns the discount's id; null where the lines
 * are fully discounted or the invoice is void
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

/** Voids the waiver (discount) of a refund that failed. Call it before the refunded payment counts as paid again. */
export async function voidWaiver(invoiceId: string, waiverId: string): Promise<void> {
  const waiver = await lockForEditIfExists(InvoiceDiscount, waiverId);
  if (!waiver || waiver.voided_at) return;
  await editRow(waiver, { voided_at: now, void_reason: 'The refund failed.' });
  await audit({
    action: 'discount.voided',
    subjectType: 'invoice',
    subjectId: invoiceId,
    after: { discount_id: waiverId, amount_cents: waiver.amount_cents },
  });
}
