import { readChapterLedger } from '../../../models/finances/ledger/readChapterLedger.js';
import { invalid } from '../../../models/errors.js';
import { authorizeInChapter } from '../../organizations/authorizeInChapter.js';
import { pageRequest, presentPage } from '../../http/pagination.js';
import { RowParams } from '../../http/params.js';
import { by, may } from '../../http/policy.js';
import { get, routes } from '../../http/routes.js';
import { invoiceExplanation } from '../explanations.js';
import { finances } from '../fields.js';
import { invoicePolicy } from '../invoices/policy.js';
import { withoutAmounts } from '../invoices/present.js';
import { ChapterLedgerFilters, ChapterLedgerJson } from './schema.js';

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
    },
    async ({ actor, params, query, request }) => {
      const chapter = params.id.toLowerCase();
      await authorizeInChapter(actor, invoicePolicy, 'read', chapter);
      const { term, from, to } = query;
      if (from && to && to < from) throw invalid('to', 'The last day is before the first.');
      const newestFirst = query.ordering.endsWith('DESC');
      const ledger = await readChapterLedger({ chapter, term, from, to, newestFirst, ...pageRequest(query) });
      const { officers_see_amounts, count, results, ...account } = ledger;
      const shown = officers_see_amounts || may(actor, invoicePolicy, 'always_see_amounts', { chapter_id: chapter });
      const page = presentPage({ count, results }, query, request, (entry) => ({
        ...(shown ? entry : withoutAmounts(entry)),
        explain: entry.invoice && invoiceExplanation(entry.invoice),
      }));
      return { ...(shown ? account : withoutAmounts(account)), ...page };
    },
  ),
]);
