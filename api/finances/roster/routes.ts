import { invalid } from '../../../models/errors.js';
import { officersSeeAmounts } from '../../../models/finances/dues-settings/officersSeeAmounts.js';
import { listCollectionRoster } from '../../../models/finances/roster/listCollectionRoster.js';
import { readRosterLedger } from '../../../models/finances/roster/readRosterLedger.js';
import type { Actor } from '../../../models/identity/Actor.js';
import { recordId } from '../../../models/fields.js';
import { authorizeInChapter } from '../../organizations/authorizeInChapter.js';
import { pageOf, pageRequest, presentPage } from '../../http/pagination.js';
import { by, chaptersWithin, may } from '../../http/policy.js';
import { get, routes } from '../../http/routes.js';
import { finances } from '../fields.js';
import { withoutAmounts } from '../invoices/present.js';
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

const seesAlways = (actor: Actor, chapter: string): boolean =>
  may(actor, collectionRosterPolicy, 'always_see_amounts', { chapter_id: chapter });

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
    },
    async ({ actor, query, request }) => {
      const chapter = await chapterMeant(actor, query.chapter?.toLowerCase());
      const { bucket, search } = query;
      const { officers_see_amounts, ...page } = await listCollectionRoster({
        chapter,
        bucket,
        search,
        ...pageRequest(query),
      });
      const shown = officers_see_amounts || seesAlways(actor, chapter);
      return presentPage(page, query, request, (row) => (shown ? row : withoutAmounts(row)));
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
      const shown = seesAlways(actor, account.chapter) || (await officersSeeAmounts());
      const page = presentPage({ count, results }, query, request, (entry) => ({
        ...(shown ? entry : withoutAmounts(entry)),
        explain: entry.invoice && invoiceExplanation(entry.invoice),
      }));
      return { ...(shown ? account : withoutAmounts(account)), ...page };
    },
  ),
]);
