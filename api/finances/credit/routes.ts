import { readCredit } from '../../../models/finances/credit/readCredit.js';
import { authorizeInChapter } from '../../http/authorizeInChapter.js';
import { pageRequest, presentPage } from '../../http/pagination.js';
import { get, type Route } from '../../http/routes.js';
import { finances } from '../fields.js';
import { organizationInPath } from '../../http/organizationInPath.js';
import { creditPolicy } from './policy.js';
import { CreditJson, CreditParams, CreditQuery } from './schema.js';

export const creditRoutes: Route[] = [
  get(
    '/api/hq/dues/:organization_id/chapters/:chapter_id/credit/',
    {
      ...finances,
      summary: 'Available credit of a chapter or a member, and its ledger',
      params: CreditParams,
      query: CreditQuery,
      response: CreditJson,
    },
    async ({ actor, params, query, request }) => {
      organizationInPath(actor, params.organization_id);
      const chapter = params.chapter_id.toLowerCase();
      await authorizeInChapter(actor, creditPolicy, 'read', chapter);
      const member = query.member ?? null;
      const { available_cents, shortfall_cents, ...page } = await readCredit(
        { chapterId: chapter, membershipId: member },
        pageRequest(query),
      );
      return {
        chapter,
        member,
        available_cents,
        shortfall_cents,
        ...presentPage(page, query, request, (entry) => entry),
      };
    },
  ),
];
