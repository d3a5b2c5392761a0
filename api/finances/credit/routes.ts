import { listShortfalls } from '../../../models/finances/credit/listShortfalls.js';
import { readCredit } from '../../../models/finances/credit/readCredit.js';
import { authorizeInChapter } from '../../organizations/authorizeInChapter.js';
import { pageOf, pageRequest, presentPage } from '../../http/pagination.js';
import { authorize, by, nationalAdmin, policy, regionalAdminOfChapter, self } from '../../http/policy.js';
import { get, type Route } from '../../http/routes.js';
import { OrganizationParams } from '../../http/params.js';
import { finances } from '../fields.js';
import { CreditJson, CreditParams, CreditQuery, ShortfallJson, ShortfallQuery } from './schema.js';

export const creditPolicy = policy('credit', {
  read: [nationalAdmin, regionalAdminOfChapter],
  /** Members see where their own credit comes from. */
  explain: [nationalAdmin, regionalAdminOfChapter, self],
  list_shortfalls: [nationalAdmin],
  refund: [nationalAdmin],
});

export const creditRoutes: Route[] = [
  get(
    '/api/hq/dues/:organization_id/credit-shortfalls/',
    {
      ...finances,
      summary: 'Payers whose payment was refunded after its credit had been spent',
      rule: by(creditPolicy, 'list_shortfalls'),
      params: OrganizationParams,
      query: ShortfallQuery,
      response: pageOf(ShortfallJson),
    },
    async ({ actor, query, request }) => {
      authorize(actor, creditPolicy, 'list_shortfalls');
      const page = await listShortfalls(pageRequest(query));
      return presentPage(page, query, request, (shortfall) => shortfall);
    },
  ),

  get(
    '/api/hq/dues/:organization_id/chapters/:chapter_id/credit/',
    {
      ...finances,
      summary: 'Available credit of a chapter or a member, and its ledger',
      rule: by(creditPolicy, 'read'),
      params: CreditParams,
      query: CreditQuery,
      response: CreditJson,
    },
    async ({ actor, params, query, request }) => {
      const chapter = params.chapter_id.toLowerCase();
      await authorizeInChapter(actor, creditPolicy, 'read', chapter);
      const member = query.member ?? null;
      const { available_cents, reserved_cents, shortfall_cents, ...page } = await readCredit(
        { chapterId: chapter, membershipId: member },
        pageRequest(query),
      );
      return {
        chapter,
        member,
        available_cents,
        reserved_cents,
        shortfall_cents,
        ...presentPage(page, query, request, (entry) => entry),
      };
    },
  ),
];
