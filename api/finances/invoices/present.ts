import type { InvoiceRow, InvoiceSummary } from '../../../models/finances/invoices/invoice.js';
import type { InvoiceDetail, InvoiceHistory } from '../../../models/finances/invoices/readInvoice.js';
import type { Actor } from '../../../models/identity/Actor.js';
import { may } from '../../http/policy.js';
import { invoicePolicy } from './policy.js';

const subject = (row: InvoiceRow) => ({ chapter_id: row.chapter, membership_id: row.membership });

/** Officers see amounts only where their organization lets them; everybody sees their own. */
export const seesAmounts = (actor: Actor, row: InvoiceRow): boolean =>
  row.officers_see_amounts || may(actor, invoicePolicy, 'always_see_amounts', subject(row));

/** The row with null for every amount. */
export const withoutAmounts = <Row extends object>(row: Row): Row =>
  Object.fromEntries(Object.entries(row).map(([name, value]) => [name, name.endsWith('_cents') ? null : value])) as Row;

export function presentInvoice(actor: Actor, row: InvoiceRow): InvoiceSummary {
  const { officers_see_amounts: _, ...json } = row;
  return seesAmounts(actor, row) ? json : withoutAmounts(json);
}

export function presentInvoiceDetail(actor: Actor, detail: InvoiceDetail): InvoiceSummary & InvoiceHistory {
  const { officers_see_amounts: _, ...json } = detail;
  const notes = may(actor, invoicePolicy, 'see_discount_notes', subject(detail));
  const noted = notes
    ? json
    : { ...json, discounts: json.discounts.map((row) => ({ ...row, category: null, reason: null })) };
  if (seesAmounts(actor, detail)) return noted;
  // Nor any words in which somebody may have typed one.
  return {
    ...withoutAmounts(noted),
    void_reason: null,
    lines: noted.lines.map((line) => ({ ...withoutAmounts(line), ...(line.is_fee && { description: 'Fee' }) })),
    payments: noted.payments.map((payment) => ({ ...withoutAmounts(payment), reference: null })),
    discounts: noted.discounts.map(withoutAmounts),
    credits: noted.credits.map((credit) => ({ ...withoutAmounts(credit), reason: null })),
  };
}
