import type { z } from 'zod';
import {
  type ChapterLedgerQuery,
  chapterLedgerStatement,
  type ReadLedger,
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
import { withoutAmounts } from '../invoices/present.js';
import { ChapterLedgerFilters, ChapterLedgerJson } from './schema.js';

type Asked = z.output<typeof ChapterLedgerFilters>;

const ledgerOf = ({ id }: { id: string }, query: Asked): ChapterLedgerQuery => ({
  chapter: id.toLowerCase(),
  term: query.term,
  from: query.from,
  to: query.to,
  newestFirst: query.ordering.endsWith('DESC'),
  ...pageRequest(query),
});

/** What a fee is for was typed by somebody, maybe with an amount in it. */
const withoutTypedAmounts = (entry: ReadLedger['results'][number]) => ({
  ...withoutAmounts(entry),
  ...(entry.kind === 'fee' && { description: 'Fee' }),
});

function presentLedger(actor: Actor, ledger: ReadLedger, query: Asked, request: RequestFacts) {
  const { officers_see_amounts, count, results, ...account } = ledger;
  const shown =
    officers_see_amounts || may(actor, invoicePolicy, 'always_see_amounts', { chapter_id: account.chapter });
  const page = presentPage({ count, results }, query, request, (entry) => ({
    ...(shown ? entry : withoutTypedAmounts(entry)),
    explain: entry.invoice && invoiceExplanation(entry.invoice),
  }));
  return { ...(shown ? account : withoutAmounts(account)), ...page };
}

export const chapterLedgerRoutes = routes('/api/chapters/:id/finances', [
  get(
    '/ledger/',
    {
      ...finances,
      summary: "A chapter's own account: its running balance, and all that led to it",
      operationId: 'readChapterLedger',
      rule: by(invoicePolicy, 'read'),
      params: RowParams,
      query: ChapterLedgerFilters,
      response: ChapterLedgerJson,
      ahead: {
        statement: ({ params, query }) => chapterLedgerStatement(ledgerOf(params, query)),
        answer: ({ actor, params, query, request }, row) => {
          const ledger = row as unknown as ReadLedger | undefined;
          const isWhole =
            ledger &&
            ledger.results.length > 0 &&
            may(actor, invoicePolicy, 'read', { chapter_id: params.id.toLowerCase() });
          return isWhole ? JSON.stringify(presentLedger(actor, ledger, query, request)) : null;
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
