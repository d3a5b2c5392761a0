import { lockRow } from '../../../models/database/model/change.js';
import { readRow } from '../../../models/database/model/read.js';
import { refuse } from '../../../models/errors.js';
import type { Actor } from '../../../models/identity/Actor.js';
import { chapterExists } from '../../../models/organizations/chapters.js';
import { organizationsErrors } from '../../../models/organizations/errors.js';
import { fileMemberAddRequest } from '../../../models/organizations/member-add-requests/fileMemberAddRequest.js';
import { memberAddRequests } from '../../../models/organizations/member-add-requests/kind.js';
import { MemberAddRequest } from '../../../models/organizations/member-add-requests/MemberAddRequest.js';
import {
  type MemberAddReview as Review,
  reviewMemberAddRequest,
} from '../../../models/organizations/member-add-requests/reviewMemberAddRequest.js';
import { withdrawRequest } from '../../../models/organizations/requests/decide.js';
import { requestErrors } from '../../../models/organizations/requests/errors.js';
import { listRequests } from '../../../models/organizations/requests/listRequests.js';
import { reviewMany } from '../../../models/organizations/requests/reviewMany.js';
import { pageOf, pageRequest, presentPage } from '../../http/pagination.js';
import { OrganizationParams, OrganizationRowParams, RowParams } from '../../http/params.js';
import { authorize, by, chaptersWithin } from '../../http/policy.js';
import { get, post } from '../../http/routes.js';
import { authorizeInChapter } from '../authorizeInChapter.js';
import { BulkReviewBody, OutcomesJson } from '../requests.js';
import { authorizeReview } from './authorizeReview.js';
import { memberAddRequestPolicy } from './policy.js';
import { MemberAddRequestBody, MemberAddRequestFilters, MemberAddRequestJson, MemberAddReview } from './schema.js';

const tenant = { access: 'tenant', tags: ['organizations'] } as const;
const IN_CHAPTER = '/api/chapters/:id/member-add-requests/';
const IN_ORGANIZATION = '/api/organizations/:organization_id/member-add-requests';
const { own_request, request_closed, request_open } = requestErrors;
const { chapter_not_active, membership_exists, not_in_active_standing, office_taken } = organizationsErrors;

/** @returns its status afterwards */
async function review(actor: Actor, id: string, said: Review): Promise<string> {
  const request = await lockRow(MemberAddRequest, id);
  const tier = await authorizeReview(actor, request, said.version);
  await reviewMemberAddRequest(request, tier, actor.userId, said);
  return request.status;
}

export const memberAddRequestRoutes = [
  get(
    IN_CHAPTER,
    {
      ...tenant,
      summary: "A chapter's requests for new members",
      operationId: 'listChapterMemberAddRequests',
      rule: by(memberAddRequestPolicy, 'read'),
      params: RowParams,
      query: MemberAddRequestFilters,
      response: pageOf(MemberAddRequestJson),
    },
    async ({ actor, params, query, request }) => {
      await authorizeInChapter(actor, memberAddRequestPolicy, 'read', params.id);
      const list = { chapters: [params.id], status: query.status, orderBy: query.ordering, ...pageRequest(query) };
      const page = await listRequests<never>(MemberAddRequest, list);
      if (page.count === 0 && !(await chapterExists(params.id))) throw refuse.not_found();
      return presentPage(page, query, request, (row) => row);
    },
  ),

  post(
    IN_CHAPTER,
    {
      ...tenant,
      summary: 'Ask for a new member',
      description:
        'Admins of the region decide first, those of the organization last. Where the region has nobody else to decide, ' +
        'the first step is left out: `first_tier_skipped`.',
      operationId: 'fileMemberAddRequest',
      rule: by(memberAddRequestPolicy, 'file'),
      params: RowParams,
      body: MemberAddRequestBody,
      response: MemberAddRequestJson,
      status: 201,
      errors: [request_open, membership_exists, chapter_not_active],
    },
    async ({ actor, params, body }) => {
      if (!(await chapterExists(params.id))) throw refuse.not_found();
      authorize(actor, memberAddRequestPolicy, 'file', { chapter_id: params.id });
      return readRow(MemberAddRequest, await fileMemberAddRequest(params.id, actor.userId, body));
    },
  ),

  get(
    `${IN_ORGANIZATION}/`,
    {
      ...tenant,
      summary: 'Requests for new members',
      description: 'All for admins of the organization, else those of your region or chapter.',
      rule: by(memberAddRequestPolicy, 'read'),
      params: OrganizationParams,
      query: MemberAddRequestFilters,
      response: pageOf(MemberAddRequestJson),
    },
    async ({ actor, query, request }) => {
      const chapters = chaptersWithin(actor, memberAddRequestPolicy, 'read');
      const list = { chapters, status: query.status, orderBy: query.ordering, ...pageRequest(query) };
      return presentPage(await listRequests<never>(MemberAddRequest, list), query, request, (row) => row);
    },
  ),

  post(
    `${IN_ORGANIZATION}/bulk-review/`,
    {
      ...tenant,
      summary: 'Decide many requests for new members alike',
      description: 'Each by itself: one that is refused keeps back no other.',
      operationId: 'reviewMemberAddRequests',
      rule: by(memberAddRequestPolicy, 'review_regional', 'review_organization'),
      params: OrganizationParams,
      body: BulkReviewBody,
      response: OutcomesJson,
    },
    async ({ actor, body: { ids, ...said } }) => {
      // Whoever decides nothing anywhere is refused as a whole.
      chaptersWithin(actor, memberAddRequestPolicy, actor.isNationalAdmin ? 'review_organization' : 'review_regional');
      return reviewMany(ids, (id) => review(actor, id, { ...said, isInBulk: true }));
    },
  ),

  get(
    `${IN_ORGANIZATION}/:id/`,
    {
      ...tenant,
      summary: 'A request for a new member',
      rule: by(memberAddRequestPolicy, 'read'),
      params: OrganizationRowParams,
      response: MemberAddRequestJson,
    },
    async ({ actor, params }) => {
      const row = await readRow(MemberAddRequest, params.id);
      authorize(actor, memberAddRequestPolicy, 'read', { chapter_id: row.chapter });
      return row;
    },
  ),

  post(
    `${IN_ORGANIZATION}/:id/review/`,
    {
      ...tenant,
      summary: 'Decide a request for a new member',
      description:
        'The last approval makes the membership as if it were added by hand, and is refused by what would refuse that: ' +
        'the request then goes on waiting. Whoever has decided first and decides last, too, says the `version` they saw.',
      operationId: 'reviewMemberAddRequest',
      rule: by(memberAddRequestPolicy, 'review_regional', 'review_organization'),
      params: OrganizationRowParams,
      body: MemberAddReview,
      response: MemberAddRequestJson,
      errors: [
        own_request,
        request_closed,
        membership_exists,
        not_in_active_standing,
        office_taken,
        chapter_not_active,
        refuse.stale_version,
      ],
    },
    async ({ actor, params, body }) => {
      await review(actor, params.id, body);
      return readRow(MemberAddRequest, params.id);
    },
  ),

  post(
    `${IN_ORGANIZATION}/:id/withdraw/`,
    {
      ...tenant,
      summary: 'Take back what you have asked for',
      operationId: 'withdrawMemberAddRequest',
      rule: by(memberAddRequestPolicy, 'withdraw'),
      params: OrganizationRowParams,
      response: MemberAddRequestJson,
      errors: [request_closed],
    },
    async ({ actor, params }) => {
      const request = await lockRow(MemberAddRequest, params.id);
      authorize(actor, memberAddRequestPolicy, 'withdraw', { user_id: request.requested_by });
      await withdrawRequest(memberAddRequests, request);
      return readRow(MemberAddRequest, params.id);
    },
  ),
];
