import type { InvoiceRow, InvoiceSummary } from '../../../models/finances/invoices/invoice.js';
import type { InvoiceDetail } from '../../../models/finances/invoices/readInvoice.js';
import type { Actor } from '../../../models/identity/Actor.js';
import { may } from '../../http/policy.js';
import { seesAmounts, withoutAmounts } from '../amounts.js';
import { presentActions } from './actions.js';
import { invoicePolicy, subjectOf } from './policy.js';

/** Whether an actor sees the amounts of an invoice. */
export const seesInvoiceAmounts = (actor: Actor, row: InvoiceRow): boolean =>
  seesAmounts(actor, subjectOf(row), row.officers_see_amounts);

export function presentInvoice(actor: Actor, row: InvoiceRow): InvoiceSummary {
  const { officers_see_amounts: _, ...json } = row;
  return seesInvoiceAmounts(actor, row) ? json : withoutAmounts(json);
}

export function presentInvoiceDetail(actor: Actor, detail: InvoiceDetail) {
  const { officers_see_amounts: _, is_being_refunded: __, payer_credit_cents: ___, ...shown } = detail;
  const json = { ...shown, actions: presentActions(actor, detail) };
  const notes = may(actor, invoicePolicy, 'see_discount_notes', subjectOf(detail));
  const visible = notes
    ? json
    : { ...json, discounts: json.discounts.map((row) => ({ ...row, category: null, reason: null })) };
  return seesInvoiceAmounts(actor, detail) ? visible : withoutAmounts(visible);
}
