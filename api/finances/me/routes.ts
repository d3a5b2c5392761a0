import { refuse } from '../../../models/errors.js';
import { readBalance } from '../../../models/finances/accounts/readBalance.js';
import { type MemberLedger, readLedger } from '../../../models/finances/accounts/readLedger.js';
import { listInvoices } from '../../../models/finances/invoices/listInvoices.js';
import type { Actor } from '../../../models/identity/Actor.js';
import { pageOf, pageRequest, presentPage } from '../../http/pagination.js';
import { anyone, authorize, by, may, policy, self } from '../../http/policy.js';
import { get, routes } from '../../http/routes.js';
import { seesAmounts } from '../amounts.js';
import { invoiceExplanation } from '../explanations.js';
import { finances } from '../fields.js';
import { presentInvoice } from '../invoices/present.js';
import { InvoiceSummaryJson, OwnInvoiceFilters } from '../invoices/schema.js';
import { ownMembership } from './ownMembership.js';
import { BalanceJson, LedgerJson, LedgerQuery } from './schema.js';

export const ownBillingPolicy = policy('own billing', { read: [anyone], read_ledger: [self] });

const creditExplanation = (
  { organizationId }: Actor,
  { chapter, membership }: Pick<MemberLedger, 'chapter' | 'membership'>,
): string => `/api/hq/dues/${organizationId}/chapters/${chapter}/credit/explain/?member=${membership}`;

export const ownBillingRoutes = routes('/api/billing', [
  get(
    '/me/invoices/',
    {
      ...finances,
      summary: "The caller's own invoices",
      rule: by(ownBillingPolicy, 'read'),
      query: OwnInvoiceFilters,
      response: pageOf(InvoiceSummaryJson),
    },
    async ({ actor, query, request }) => {
      authorize(actor, ownBillingPolicy, 'read');
      const { status, membership, ordering: orderBy } = query;
      const memberships = actor.membershipIds.filter(
        (id) => membership === undefined || id === membership.toLowerCase(),
      );
      const page = await listInvoices({ payerType: 'member', memberships, status, orderBy, ...pageRequest(query) });
      return presentPage(page, query, request, (row) => presentInvoice(actor, row));
    },
  ),

  get(
    '/me/ledger/',
    {
      ...finances,
      summary: "The caller's account: its balance and all entries",
      rule: by(ownBillingPolicy, 'read_ledger'),
      query: LedgerQuery,
      response: LedgerJson,
    },
    async ({ actor, query, request }) => {
      const membership = ownMembership(actor, query.membership?.toLowerCase());
      if (!may(actor, ownBillingPolicy, 'read_ledger', { membership_id: membership })) throw refuse.not_found();
      const { count, results, ...account } = await readLedger(membership, pageRequest(query));
      const credit = creditExplanation(actor, account);
      const page = presentPage({ count, results }, query, request, (entry) => ({
        ...entry,
        explain: entry.invoice ? invoiceExplanation(entry.invoice) : credit,
      }));
      return { ...account, ...page };
    },
  ),

  get(
    '/balance/',
    {
      ...finances,
      summary: 'Balances of the caller',
      rule: by(ownBillingPolicy, 'read'),
      response: BalanceJson,
    },
    async ({ actor }) => {
      authorize(actor, ownBillingPolicy, 'read');
      const { officers_see_amounts, ...balance } = await readBalance(actor.membershipIds, actor.officerChapterIds);
      const hidden = actor.officerChapterIds.some(
        (chapter_id) => !seesAmounts(actor, { chapter_id }, officers_see_amounts),
      );
      return {
        ...balance,
        chapter_balance_cents: hidden ? null : balance.chapter_balance_cents,
        total_balance_cents: hidden ? null : balance.member_balance_cents + balance.chapter_balance_cents,
      };
    },
  ),
]);
