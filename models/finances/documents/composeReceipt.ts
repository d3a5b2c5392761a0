import type { InvoiceCause } from '../explain/explainInvoice.js';
import type { Explanation } from '../explain/explanation.js';
import type { InvoiceSummary } from '../invoices/invoice.js';
import type { Letterhead } from '../ledger/readLetterhead.js';
import { amount, columnsFor, inWords } from './words.js';

/** YYYY-MM-DD by the organization's clock. One whose time zone nobody knows has UTC. */
function dayOf(moment: string, timeZone: string): string {
  const at = new Date(moment);
  try {
    return new Intl.DateTimeFormat('en-CA', { timeZone, dateStyle: 'short' }).format(at);
  } catch {
    return at.toISOString().slice(0, 10);
  }
}

/** What a reader of it may know. */
export interface Reader {
  amounts: boolean;
  /** Why something was taken off. */
  notes: boolean;
}

/** A receipt as it is printed. */
export function composeReceipt(
  invoice: InvoiceSummary,
  { entries, currency }: Explanation<InvoiceCause>,
  { organization, color, timezone, chapter, as_of }: Letterhead,
  { amounts, notes }: Reader,
) {
  const shown = (cents: number | null) => amount(cents, currency);
  const ifAny = (name: string, cents: number | null): [string, string][] => (cents ? [[name, shown(cents)]] : []);
  // Whoever sees no amounts reads no words either in which somebody may have typed one.
  const said = (kind: string, reason: string | null) =>
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
    ['Billed', shown(invoice.total_cents)],
    ...ifAny('Taken off', invoice.discount_cents),
    ['Paid', shown(invoice.paid_cents)],
    ...ifAny('Of it became credit', invoice.overpaid_cents),
    ...ifAny('Paid from credit', invoice.credit_cents),
    ['Due', shown(invoice.balance_due_cents)],
  ];
  return {
    title: `Receipt: ${invoice.description}`,
    organization,
    color,
    head,
    columns: columnsFor(amounts),
    rows: entries.map(({ at, received_on, effect_cents, running_balance_cents, reason, cause: { kind } }) => {
      const what = [received_on ?? dayOf(at, timezone), inWords(kind, said(kind, reason))];
      return amounts ? [...what, shown(effect_cents), shown(running_balance_cents)] : what;
    }),
    totals: amounts ? totals : [],
    asOf: `As of ${as_of}. Days are those of ${organization}.`,
  };
}
