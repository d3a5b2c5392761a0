import { explainInvoice } from '../../../models/finances/explain/explainInvoice.js';
import { readLetterhead } from '../../../models/finances/ledger/readLetterhead.js';
import { RowParams } from '../../http/params.js';
import { by, may } from '../../http/policy.js';
import { get, routes } from '../../http/routes.js';
import { finances } from '../fields.js';
import { answerPdf, columnsFor, inWords, amount } from '../statement/document.js';
import { invoicePolicy } from './policy.js';
import { seesAmounts } from './present.js';
import { reachInvoice } from './reach.js';

/** YYYY-MM-DD by the organization's clock. One whose time zone nobody knows has UTC. */
function dayOf(moment: string, timeZone: string): string {
  const at = new Date(moment);
  try {
    return new Intl.DateTimeFormat('en-CA', { timeZone, dateStyle: 'short' }).format(at);
  } catch {
    return at.toISOString().slice(0, 10);
  }
}

export const invoiceReceiptRoutes = routes('/api/invoices/:id', [
  get(
    '/receipt/',
    {
      ...finances,
      summary: 'What was billed and paid on an invoice, as a PDF',
      description: 'As of now, with refunds and disputes. Whoever sees no amounts reads what happened and when.',
      operationId: 'getInvoiceReceipt',
      rule: by(invoicePolicy, 'read'),
      params: RowParams,
      status: 200,
      textResponse: 'application/pdf',
    },
    async ({ actor, params: { id } }) => {
      const invoice = await reachInvoice(actor, id);
      const { entries, currency } = await explainInvoice(id);
      const { organization, color, timezone, chapter, as_of } = await readLetterhead(invoice.chapter);
      const sees = seesAmounts(actor, invoice);
      const notes = may(actor, invoicePolicy, 'see_discount_notes', {
        chapter_id: invoice.chapter,
        membership_id: invoice.membership,
      });
      const shown = (cents: number | null) => amount(cents, currency);
      const ifAny = (name: string, cents: number | null): [string, string][] => (cents ? [[name, shown(cents)]] : []);
      // Whoever sees no amounts reads no words either in which somebody may have typed one.
      const said = (kind: string, reason: string | null) =>
        sees && (notes || !kind.startsWith('discount')) ? reason : null;
      return answerPdf(`receipt-${invoice.id}`, {
        title: `Receipt: ${invoice.description}`,
        organization,
        color,
        head: [
          ['Invoice', invoice.id],
          ['Billed to', invoice.payer_name],
          ['Chapter', chapter],
          ['Issued', invoice.issue_date],
          ['Due', invoice.due_date],
          ['Status', invoice.status.replaceAll('_', ' ')],
        ],
        columns: columnsFor(sees),
        rows: entries.map(({ at, received_on, effect_cents, running_balance_cents, reason, cause: { kind } }) => {
          const what = [received_on ?? dayOf(at, timezone), inWords(kind, said(kind, reason))];
          return sees ? [...what, shown(effect_cents), shown(running_balance_cents)] : what;
        }),
        totals: sees
          ? [
              ['Billed', shown(invoice.total_cents)],
              ...ifAny('Taken off', invoice.discount_cents),
              ['Paid', shown(invoice.paid_cents)],
              ...ifAny('Of it became credit', invoice.overpaid_cents),
              ...ifAny('Paid from credit', invoice.credit_cents),
              ['Due', shown(invoice.balance_due_cents)],
            ]
          : [],
        asOf: `As of ${as_of}. Days are those of ${organization}.`,
      });
    },
  ),
]);
