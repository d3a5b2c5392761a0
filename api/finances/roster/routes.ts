import { invalid } from '../../../models/errors.js';
import {
  type CollectionPage,
  type CollectionRoster,
  collectionRosterStatement,
  listCollectionRoster,
} from '../../../models/finances/roster/listCollectionRoster.js';
import { readRosterLedger } from '../../../models/finances/roster/readRosterLedger.js';
import type { Actor } from '../../../models/identity/Actor.js';
import { recordId } from '../../../models/fields.js';
import { authorizeInChapter } from '../../organizations/authorizeInChapter.js';
import { pageOf, pageRequest, presentPage } from '../../http/pagination.js';
import { by, chaptersWithin, may } from '../../http/policy.js';
import { get, type RequestFacts, routes } from '../../http/routes.js';
import { finances } from '../fields.js';
import { readsAmounts, seesAmounts, withoutAmounts } from '../amounts.js';
import { invoiceExplanation } from '../explanations.js';
import { collectionRosterPolicy } from './policy.js';
import { CollectionRosterFilters, CollectionRosterRowJson, RosterLedgerJson, RosterLedgerQuery } from './schema.js';
import { z } from 'zod';

/** The chapter that is meant. @throws Refusal validation_error when it has to be named, not_found, forbidden */
async function chapterMeant(actor: Actor, named: string | undefined): Promise<string> {
  if (named !== undefined) {
    await authorizeInChapter(actor, collectionRosterPolicy, 'read', named);
    return named;
  }
  const [only, ...others] = chaptersWithin(actor, collectionRosterPolicy, 'read') ?? [];
  if (!only || others.length > 0) throw invalid('chapter', 'You see several chapters. Name one of them.');
  return only;
}

type Asked = z.output<typeof CollectionRosterFilters>;

const rosterOf = (chapter: string, query: Asked): CollectionRoster => ({
  chapter,
  bucket: query.bucket,
  search: query.search,
  ...pageRequest(query),
});

function presentRoster(actor: Actor, chapter: string, rows: CollectionPage, query: Asked, request: RequestFacts) {
  const { officers_see_amounts, ...page } = rows;
  const shown = seesAmounts(actor, { chapter_id: chapter }, officers_see_amounts);
  return presentPage(page, query, request, (row) => (shown ? row : withoutAmounts(row)));
}

export const collectionRosterRoutes = routes('/api/billing/roster', [
  get(
    '/',
    {
      ...finances,
      summary: 'Whom a chapter has to talk to about money: a row a member, whoever is behind first',
      operationId: 'listCollectionRoster',
      rule: by(collectionRosterPolicy, 'read'),
      query: CollectionRosterFilters,
      response: pageOf(CollectionRosterRowJson),
      ahead: {
        // Of whom it is depends on who asks, where no chapter is named.
        statement: ({ query }) =>
          query.chapter === undefined ? null : collectionRosterStatement(rosterOf(query.chapter.toLowerCase(), query)),
        answer: ({ actor, query, request }, row) => {
          const page = row as unknown as CollectionPage;
          const chapter = query.chapter?.toLowerCase() ?? '';
          const isWhole =
            page.results.length > 0 && may(actor, collectionRosterPolicy, 'read', { chapter_id: chapter });
          return isWhole ? JSON.stringify(presentRoster(actor, chapter, page, query, request)) : null;
        },
      },
    },
    async ({ actor, query, request }) => {
      const chapter = await chapterMeant(actor, query.chapter?.toLowerCase());
      return presentRoster(actor, chapter, await listCollectionRoster(rosterOf(chapter, query)), query, request);
    },
  ),

  get(
    '/:membership_id/ledger/',
    {
      ...finances,
      summary: "A member's account as their chapter sees it: balance first, then all that led to it",
      operationId: 'readRosterLedger',
      rule: by(collectionRosterPolicy, 'read'),
      params: z.object({ membership_id: recordId }),
      query: RosterLedgerQuery,
      response: RosterLedgerJson,
    },
    async ({ actor, params, query, request }) => {
      const within = chaptersWithin(actor, collectionRosterPolicy, 'read');
      const { count, results, ...account } = await readRosterLedger(params.membership_id, within, pageRequest(query));
      const shown = await readsAmounts(actor, { chapter_id: account.chapter });
      const page = presentPage({ count, results }, query, request, (entry) => ({
        ...(shown ? entry : withoutAmounts(entry)),
        explain: entry.invoice && invoiceExplanation(entry.invoice),
      }));
      return { ...(shown ? account : withoutAmounts(account)), ...page };
    },
  ),
]);
