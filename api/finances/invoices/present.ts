import type { InvoiceRow, InvoiceSummary } from '../../../models/finances/invoices/invoice.js';
import type { InvoiceDetail, InvoiceHistory } from '../../../models/finances/invoices/readInvoice.js';
import type { Actor } from '../../../models/identity/Actor.js';
import { may } from '../../http/policy.js';
import { seesAmounts, withoutAmounts } from '../amounts.js';
import { invoicePolicy } from './policy.js';

const subject = (row: InvoiceRow) => ({ chapter_id: row.chapter, membership_id: row.membership });

/** Whether an actor sees the amounts of an invoice. */
export const seesInvoiceAmounts = (actor: Actor, row: InvoiceRow): boolean =>
  seesAmounts(actor, subject(row), row.officers_see_amounts);

export function presentInvoice(actor: Actor, row: InvoiceRow): InvoiceSummary {
  const { officers_see_amounts: _, ...json } = row;
  return seesInvoiceAmounts(actor, row) ? json : withoutAmounts(json);
}

export function presentInvoiceDetail(actor: Actor, detail: InvoiceDetail): InvoiceSummary & InvoiceHistory {
  const { officers_see_amounts: _, ...json } = detail;
  const notes = may(actor, invoicePolicy, 'see_discount_notes', subject(detail));
  const visible = notes
    ? json
    : { ...json, discounts: json.discounts.map((row) => ({ ...row, category: null, reason: null })) };
  return seesInvoiceAmounts(actor, detail) ? visible : withoutAmounts(visible);
}
