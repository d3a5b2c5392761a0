import { explainInvoice, INVOICE_CAUSES, type InvoiceCause } from '../../../models/finances/explain/explainInvoice.js';
import type { Explanation } from '../../../models/finances/explain/explanation.js';
import { RowParams } from '../../http/params.js';
import { by, may } from '../../http/policy.js';
import { get, routes } from '../../http/routes.js';
import { explanationJson } from '../explanations.js';
import { finances } from '../fields.js';
import { invoicePolicy } from './policy.js';
import { withoutAmounts } from '../amounts.js';
import { seesInvoiceAmounts } from './present.js';
import { readVisibleInvoice } from './readVisibleInvoice.js';

/** Removes the reasons of discounts, for readers who may not see them. */
const withoutDiscountReasons = (explained: Explanation<InvoiceCause>): Explanation<InvoiceCause> => ({
  ...explained,
  entries: explained.entries.map((entry) =>
    entry.cause.kind.startsWith('discount') ? { ...entry, reason: null } : entry,
  ),
});

/** Removes amounts. The reason of a dues line is the platform's own text and stays. */
const withoutEntryAmounts = (entry: Explanation<InvoiceCause>['entries'][number]) =>
  withoutAmounts(entry, entry.cause.kind === 'line' ? { reason: entry.reason } : {});

export const invoiceExplainRoutes = routes('/api/invoices/:id', [
  get(
    '/explain/',
    {
      ...finances,
      summary: 'Explain the balance of an invoice: every change with its running balance',
      operationId: 'explainInvoice',
      rule: by(invoicePolicy, 'read'),
      params: RowParams,
      response: explanationJson('InvoiceExplanation', INVOICE_CAUSES),
    },
    async ({ actor, params: { id } }) => {
      const invoice = await readVisibleInvoice(actor, id);
      const notes = { chapter_id: invoice.chapter, membership_id: invoice.membership };
      const explained = await explainInvoice(id);
      const visible = may(actor, invoicePolicy, 'see_discount_notes', notes)
        ? explained
        : withoutDiscountReasons(explained);
      if (seesInvoiceAmounts(actor, invoice)) return visible;
      return withoutAmounts(visible, { entries: visible.entries.map(withoutEntryAmounts) });
    },
  ),
]);
