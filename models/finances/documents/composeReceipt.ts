import type { InvoiceCause } from '../explain/explainInvoice.js';
import type { Explanation } from '../explain/explanation.js';
import type { InvoiceSummary } from '../invoices/invoice.js';
import type { Letterhead } from '../ledger/readLetterhead.js';
import { formatAmount, columnsFor, describeEntry } from './words.js';

/**
 * Returns the date of a moment in the organization's time zone, as YYYY-MM-DD. If the time zone is unknown, the date is
 * in UTC.
 */
function dayOf(moment: string, timeZone: string): string {
  const at = new Date(moment);
  try {
    return new Intl.DateTimeFormat('en-CA', { timeZone, dateStyle: 'short' }).format(at);
  } catch {
    return at.toISOString().slice(0, 10);
  }
}

/** The parts of a receipt that its reader may see. */
export interface ReceiptAccess {
  amounts: boolean;
  /** Whether the reader may see reasons of discounts. */
  notes: boolean;
}

/** Composes the printed receipt of an invoice. */
export function composeReceipt(
  invoice: InvoiceSummary,
  { entries, currency }: Explanation<InvoiceCause>,
  { organization, color, timezone, chapter, as_of }: Letterhead,
  { amounts, notes }: ReceiptAccess,
) {
  const format = (cents: number | null) => formatAmount(cents, currency);
  const rowUnlessZero = (name: string, cents: number | null): [string, string][] =>
    cents ? [[name, format(cents)]] : [];
  // A reader who may not see amounts gets no reasons either, because free text may contain an amount.
  const visibleReason = (kind: string, reason: string | null) =>
    amounts && (notes || !kind.startsWith('discount')) ? reason : null;
  const head: [string, string][] = [
    ['Invoice', invoice.id],
    ['Billed to', invoice.payer_name],
    ['Chapter', chapter],
    ['Issued', invoice.issue_date],
    ['Due', invoice.due_date],
    ['Status', invoice.status.replaceAll('_', ' ')],
  ];
  const totals: [string, string][] = [
    ['Billed', format(invoice.total_cents)],
    ...rowUnlessZero('Discounts', invoice.discount_cents),
    ['Paid', format(invoice.paid_cents)],
    ...rowUnlessZero('Of this, became credit', invoice.overpaid_cents),
    ...rowUnlessZero('Paid from credit', invoice.credit_cents),
    ['Due', format(invoice.balance_due_cents)],
  ];
  return {
    title: `Receipt: ${invoice.description}`,
    organization,
    color,
    head,
    columns: columnsFor(amounts),
    rows: entries.map(({ at, received_on, effect_cents, running_balance_cents, reason, cause: { kind } }) => {
      const textCells = [received_on ?? dayOf(at, timezone), describeEntry(kind, visibleReason(kind, reason))];
      return amounts ? [...textCells, format(effect_cents), format(running_balance_cents)] : textCells;
    }),
    totals: amounts ? totals : [],
    asOf: `As of ${as_of}. Days are those of ${organization}.`,
  };
}
