/** What an administrator takes off an invoice, and puts on again. Neither gives anybody credit. */
import { audit } from '../../database/audit.js';
import { currentScope } from '../../database/connection.js';
import { createRow, editRow, lockRow, now } from '../../database/model/change.js';
import { invalid } from '../../errors.js';
import { financesErrors } from '../errors.js';
import { holdStanding, tellPayer } from './invoiceToChange.js';
import { InvoiceDiscount } from './InvoiceDiscount.js';

export interface NewDiscount {
  amount_cents: number;
  category: string;
  reason: string;
  notes?: string | undefined;
}

/**
 * Takes something off an invoice: together with what was taken off before at most its lines. What exceeds the balance counts for
 * nothing.
 * @returns the discount's id
 * @throws Refusal not_found, invoice_void, validation_error
 */
export async function grantDiscount(invoiceId: string, discount: NewDiscount): Promise<string> {
  const { total_cents, discount_cents } = await holdStanding(invoiceId);
  if (discount.amount_cents > total_cents - discount_cents)
    throw invalid('amount_cents', 'With the discounts that were given already this is more than the invoice’s lines.');
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
  await tellPayer(invoiceId, id);
  return id;
}

/**
 * What it took off is due again; of an invoice that was paid with its help a week from now at the earliest.
 * @throws Refusal not_found, discount_voided, invoice_void
 */
export async function voidDiscount(invoiceId: string, discountId: string, reason: string): Promise<void> {
  await holdStanding(invoiceId);
  const discount = await lockRow(InvoiceDiscount, { id: discountId, invoice_id: invoiceId });
  if (discount.voided_at) throw financesErrors.discount_voided();
  await editRow(discount, { voided_at: now, voided_by: currentScope().origin.userId, void_reason: reason });
  await audit({
    action: 'discount.voided',
    subjectType: 'invoice',
    subjectId: invoiceId,
    after: { discount_id: discountId, amount_cents: discount.amount_cents, reason },
  });
  await tellPayer(invoiceId, `${discountId}:voided`);
}
