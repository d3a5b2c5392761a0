/** Grants and voids discounts on invoices. Neither creates credit. */
import { audit } from '../../database/audit.js';
import { currentScope } from '../../database/connection.js';
import { createRow, editRow, lockForEdit, now } from '../../database/model/change.js';
import { financesErrors } from '../errors.js';
import { requireDiscountable } from '../invoices/changeable.js';
import { lockLiveInvoice, notifyPayer } from './invoiceToChange.js';
import { InvoiceDiscount } from './InvoiceDiscount.js';

export interface NewDiscount {
  amount_cents: number;
  category: string;
  reason: string;
  notes?: string | undefined;
}

/**
 * Grants a discount. All discounts of an invoice together may not exceed its lines. The part that exceeds the balance
 * has no effect.
 * @returns the discount's id
 * @throws Refusal not_found, invoice_void, validation_error
 */
export async function grantDiscount(invoiceId: string, discount: NewDiscount): Promise<string> {
  requireDiscountable(await lockLiveInvoice(invoiceId), discount.amount_cents);
  const { id } = await createRow(InvoiceDiscount, {
    ...discount,
    invoice_id: invoiceId,
    granted_by: currentScope().origin.userId,
  });
  await audit({
    action: 'discount.granted',
    subjectType: 'invoice',
    subjectId: invoiceId,
    after: { discount_id: id, amount_cents: discount.amount_cents, category: discount.category },
  });
  await notifyPayer(invoiceId, id);
  return id;
}

/**
 * Voids a discount, so that its amount is due again. An invoice that was paid with its help is due in a week at the
 * earliest.
 * @throws Refusal not_found, discount_voided, invoice_void
 */
export async function voidDiscount(invoiceId: string, discountId: string, reason: string): Promise<void> {
  await lockLiveInvoice(invoiceId);
  const discount = await lockForEdit(InvoiceDiscount, { id: discountId, invoice_id: invoiceId });
  if (discount.voided_at) throw financesErrors.discount_voided();
  await editRow(discount, { voided_at: now, voided_by: currentScope().origin.userId, void_reason: reason });
  await audit({
    action: 'discount.voided',
    subjectType: 'invoice',
    subjectId: invoiceId,
    after: { discount_id: discountId, amount_cents: discount.amount_cents, reason },
  });
  await notifyPayer(invoiceId, `${discountId}:voided`);
}
