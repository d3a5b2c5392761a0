import type { z } from 'zod';
import {
  type ChapterLedgerQuery,
  chapterLedgerStatement,
  type ChapterLedgerRow,
  readChapterLedger,
} from '../../../models/finances/ledger/readChapterLedger.js';
import type { Actor } from '../../../models/identity/Actor.js';
import { authorizeInChapter } from '../../organizations/authorizeInChapter.js';
import { pageRequest, presentPage } from '../../http/pagination.js';
import { RowParams } from '../../http/params.js';
import { by, may } from '../../http/policy.js';
import { get, type RequestFacts, routes } from '../../http/routes.js';
import { invoiceExplanation } from '../explanations.js';
import { finances, requireSpan } from '../fields.js';
import { invoicePolicy } from '../invoices/policy.js';
import { seesAmounts, withoutAmounts } from '../amounts.js';
import { ChapterLedgerFilters, ChapterLedgerJson } from './schema.js';

type LedgerFilters = z.output<typeof ChapterLedgerFilters>;

const ledgerOf = ({ id }: { id: string }, query: LedgerFilters): ChapterLedgerQuery => ({
  chapter: id.toLowerCase(),
  term: query.term,
  from: query.from,
  to: query.to,
  newestFirst: query.ordering.endsWith('DESC'),
  ...pageRequest(query),
});

function presentLedger(actor: Actor, ledger: ChapterLedgerRow, query: LedgerFilters, request: RequestFacts) {
  const { officers_see_amounts, count, results, ...account } = ledger;
  const showsAmounts = seesAmounts(actor, { chapter_id: account.chapter }, officers_see_amounts);
  const page = presentPage({ count, results }, query, request, (entry) => ({
    ...(showsAmounts ? entry : withoutAmounts(entry)),
    explain: entry.invoice && invoiceExplanation(entry.invoice),
  }));
  return { ...(showsAmounts ? account : withoutAmounts(account)), ...page };
}

export const chapterLedgerRoutes = routes('/api/chapters/:id/finances', [
  get(
    '/ledger/',
    {
      ...finances,
      summary: "A chapter's own account: all entries with their running balance",
      operationId: 'readChapterLedger',
      rule: by(invoicePolicy, 'read'),
      params: RowParams,
      query: ChapterLedgerFilters,
      response: ChapterLedgerJson,
      singleMessageRead: {
        statement: ({ params, query }) => chapterLedgerStatement(ledgerOf(params, query)),
        answer: ({ actor, params, query, request }, row) => {
          const ledger = row as unknown as ChapterLedgerRow | undefined;
          const isComplete =
            ledger &&
            ledger.results.length > 0 &&
            may(actor, invoicePolicy, 'read', { chapter_id: params.id.toLowerCase() });
          return isComplete ? JSON.stringify(presentLedger(actor, ledger, query, request)) : null;
        },
      },
    },
    async ({ actor, params, query, request }) => {
      await authorizeInChapter(actor, invoicePolicy, 'read', params.id.toLowerCase());
      requireSpan(query);
      return presentLedger(actor, await readChapterLedger(ledgerOf(params, query)), query, request);
    },
  ),
]);
