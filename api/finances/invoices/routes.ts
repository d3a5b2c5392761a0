import type { z } from 'zod';
import { pageStatement, type PageText } from '../../../models/database/page.js';
import { invalid, refuse } from '../../../models/errors.js';
import { financesErrors } from '../../../models/finances/errors.js';
import { chapterExists } from '../../../models/organizations/chapters.js';
import { type InvoiceQuery, listInvoices, summaryPageQuery } from '../../../models/finances/invoices/listInvoices.js';
import { voidInvoice } from '../../../models/finances/voidInvoice.js';
import type { Actor } from '../../../models/identity/Actor.js';
import { pageAsText, pageOf, pageRequest, presentPage } from '../../http/pagination.js';
import { authorize, by } from '../../http/policy.js';
import { get, post, type Route } from '../../http/routes.js';
import { finances } from '../fields.js';
import { authorizeInChapter } from '../../organizations/authorizeInChapter.js';
import { invoicePolicy } from './policy.js';
import { presentInvoice, presentInvoiceDetail } from './present.js';
import { readVisibleInvoice } from './readVisibleInvoice.js';
import {
  ChapterInvoiceFilters,
  InvoiceJson,
  InvoiceSummaryJson,
  OrganizationInvoiceFilters,
  VoidInvoice,
} from './schema.js';
import { OrganizationParams, RowParams } from '../../http/params.js';
import { readsAmounts, seesAmounts } from '../amounts.js';

type Filters = { [K in 'due_before' | 'due_after' | 'search' | 'term' | 'membership']?: string | undefined };
const filtersOf = ({ due_before, due_after, search, term, membership }: Filters) => ({
  dueBefore: due_before,
  dueAfter: due_after,
  memberships: membership === undefined ? undefined : [membership],
  search,
  term,
});

const invoicesOf = (query: z.output<typeof OrganizationInvoiceFilters>): InvoiceQuery => {
  const { chapter, payer_type: payerType, status, ordering: orderBy } = query;
  return { chapter, payerType, status, orderBy, ...filtersOf(query), ...pageRequest(query) };
};

/** Refuses to sort by amounts that the actor does not see, because the order would disclose them. */
async function refuseOrderByHiddenAmounts(actor: Actor, chapterId: string, orderBy: string): Promise<void> {
  if (orderBy.includes('_cents') && !(await readsAmounts(actor, { chapter_id: chapterId })))
    throw invalid('ordering', 'Officers of this organization do not see amounts, so you cannot sort by them.');
}

export const invoiceRoutes: Route[] = [
  get(
    '/api/organizations/:organization_id/invoices/',
    {
      ...finances,
      summary: 'All invoices of the organization',
      rule: by(invoicePolicy, 'read'),
      params: OrganizationParams,
      query: OrganizationInvoiceFilters,
      response: pageOf(InvoiceSummaryJson),
      singleMessageRead: {
        // A search is the most expensive read, so it only runs after the authorization.
        statement: ({ query }) => (query.search ? null : pageStatement(summaryPageQuery(invoicesOf(query)))),
        answer: ({ actor, query, request }, row) => {
          authorize(actor, invoicePolicy, 'read');
          // This list shows amounts, so it is only for actors who see amounts regardless of the setting
          // `officers_see_amounts`.
          if (!seesAmounts(actor, {}, false)) throw refuse.forbidden();
          return pageAsText(row as unknown as PageText, query, request);
        },
      },
    },
    async ({ actor, query, request }) => {
      authorize(actor, invoicePolicy, 'read');
      const page = await listInvoices(invoicesOf(query));
      return presentPage(page, query, request, (row) => presentInvoice(actor, row));
    },
  ),

  get(
    '/api/chapters/:id/invoices/',
    {
      ...finances,
      summary: "A chapter's own invoices, or with payer_type=member its members'",
      rule: by(invoicePolicy, 'read'),
      params: RowParams,
      query: ChapterInvoiceFilters,
      response: pageOf(InvoiceSummaryJson),
    },
    async ({ actor, params, query, request }) => {
      const chapter = params.id.toLowerCase();
      await authorizeInChapter(actor, invoicePolicy, 'read', chapter);
      const { payer_type: payerType, status, ordering: orderBy } = query;
      await refuseOrderByHiddenAmounts(actor, chapter, orderBy);
      const page = await listInvoices({
        chapter,
        payerType,
        status,
        orderBy,
        ...filtersOf(query),
        ...pageRequest(query),
      });
      // A list with rows proves that its chapter exists; only an empty list needs the check.
      if (page.count === 0 && !(await chapterExists(chapter))) throw refuse.not_found();
      return presentPage(page, query, request, (row) => presentInvoice(actor, row));
    },
  ),

  get(
    '/api/invoices/:id/',
    {
      ...finances,
      summary: 'An invoice with its lines and history',
      rule: by(invoicePolicy, 'read'),
      params: RowParams,
      response: InvoiceJson,
    },
    async ({ actor, params }) => presentInvoiceDetail(actor, await readVisibleInvoice(actor, params.id)),
  ),

  post(
    '/api/invoices/:id/void/',
    {
      ...finances,
      summary: 'Void an invoice; its payments become credit of its payer',
      rule: by(invoicePolicy, 'void'),
      params: RowParams,
      body: VoidInvoice,
      response: InvoiceJson,
      errors: [financesErrors.invoice_void],
    },
    async ({ actor, params, body }) => {
      const { chapter, membership } = await readVisibleInvoice(actor, params.id);
      authorize(actor, invoicePolicy, 'void', { chapter_id: chapter, membership_id: membership });
      await voidInvoice(params.id, body.reason);
      return presentInvoiceDetail(actor, await readVisibleInvoice(actor, params.id));
    },
  ),
];
