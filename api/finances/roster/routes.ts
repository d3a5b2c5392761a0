import { invalid } from '../../../models/errors.js';
import {
  type CollectionRosterPage,
  type CollectionRosterQuery,
  collectionRosterStatement,
  listCollectionRoster,
} from '../../../models/finances/roster/listCollectionRoster.js';
import { readRosterLedger } from '../../../models/finances/roster/readRosterLedger.js';
import type { Actor } from '../../../models/identity/Actor.js';
import { recordId } from '../../../models/fields.js';
import { authorizeInChapter } from '../../organizations/authorizeInChapter.js';
import { pageOf, pageRequest, presentPage } from '../../http/pagination.js';
import { by, chapterManagers, chaptersWithin, may, policy } from '../../http/policy.js';
import { get, type RequestFacts, routes } from '../../http/routes.js';
import { finances } from '../fields.js';
import { readsAmounts, seesAmounts, withoutAmounts } from '../amounts.js';
import { invoiceExplanation } from '../explanations.js';
import { CollectionRosterFilters, CollectionRosterRowJson, RosterLedgerJson, RosterLedgerQuery } from './schema.js';
import { z } from 'zod';

const collectionRosterPolicy = policy('collection roster', {
  read: chapterManagers,
});

/**
 * Returns the requested chapter; if none is requested, the only chapter that the actor may read.
 * @throws Refusal validation_error if there are several, not_found, forbidden
 */
async function requestedChapter(actor: Actor, requested: string | undefined): Promise<string> {
  if (requested !== undefined) {
    await authorizeInChapter(actor, collectionRosterPolicy, 'read', requested);
    return requested;
  }
  const [only, ...others] = chaptersWithin(actor, collectionRosterPolicy, 'read') ?? [];
  if (!only || others.length > 0) throw invalid('chapter', 'You see several chapters. Name one of them.');
  return only;
}

type RosterFilters = z.output<typeof CollectionRosterFilters>;

const rosterOf = (chapter: string, query: RosterFilters): CollectionRosterQuery => ({
  chapter,
  bucket: query.bucket,
  search: query.search,
  ...pageRequest(query),
});

function presentRoster(
  actor: Actor,
  chapter: string,
  rows: CollectionRosterPage,
  query: RosterFilters,
  request: RequestFacts,
) {
  const { officers_see_amounts, ...page } = rows;
  const showsAmounts = seesAmounts(actor, { chapter_id: chapter }, officers_see_amounts);
  return presentPage(page, query, request, (row) => (showsAmounts ? row : withoutAmounts(row)));
}

export const collectionRosterRoutes = routes('/api/billing/roster', [
  get(
    '/',
    {
      ...finances,
      summary: 'Members of a chapter and what they owe: one row a member, overdue members first',
      operationId: 'listCollectionRoster',
      rule: by(collectionRosterPolicy, 'read'),
      query: CollectionRosterFilters,
      response: pageOf(CollectionRosterRowJson),
      singleMessageRead: {
        // Without a chapter filter, the chapter depends on the actor, who is not known yet. So no statement can be
        // prepared here.
        statement: ({ query }) =>
          query.chapter === undefined ? null : collectionRosterStatement(rosterOf(query.chapter.toLowerCase(), query)),
        answer: ({ actor, query, request }, row) => {
          const page = row as unknown as CollectionRosterPage;
          const chapter = query.chapter?.toLowerCase() ?? '';
          const isComplete =
            page.results.length > 0 && may(actor, collectionRosterPolicy, 'read', { chapter_id: chapter });
          return isComplete ? JSON.stringify(presentRoster(actor, chapter, page, query, request)) : null;
        },
      },
    },
    async ({ actor, query, request }) => {
      const chapter = await requestedChapter(actor, query.chapter?.toLowerCase());
      return presentRoster(actor, chapter, await listCollectionRoster(rosterOf(chapter, query)), query, request);
    },
  ),

  get(
    '/:membership_id/ledger/',
    {
      ...finances,
      summary: "A member's account as their chapter sees it: its balance and all entries",
      operationId: 'readRosterLedger',
      rule: by(collectionRosterPolicy, 'read'),
      params: z.object({ membership_id: recordId }),
      query: RosterLedgerQuery,
      response: RosterLedgerJson,
    },
    async ({ actor, params, query, request }) => {
      const within = chaptersWithin(actor, collectionRosterPolicy, 'read');
      const { count, results, ...account } = await readRosterLedger(params.membership_id, within, pageRequest(query));
      const showsAmounts = await readsAmounts(actor, { chapter_id: account.chapter });
      const page = presentPage({ count, results }, query, request, (entry) => ({
        ...(showsAmounts ? entry : withoutAmounts(entry)),
        explain: entry.invoice && invoiceExplanation(entry.invoice),
      }));
      return { ...(showsAmounts ? account : withoutAmounts(account)), ...page };
    },
  ),
]);
