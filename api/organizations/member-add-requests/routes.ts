import { lockForEdit } from '../../../models/database/model/change.js';
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

/**
 * Reviews a member add request.
 * @returns its status afterwards
 */
async function review(actor: Actor, id: string, decision: Review): Promise<string> {
  const request = await lockForEdit(MemberAddRequest, id);
  const tier = await authorizeReview(actor, request, decision.version);
  await reviewMemberAddRequest(request, tier, actor.userId, decision);
  return request.status;
}

export const memberAddRequestRoutes = [
  get(
    IN_CHAPTER,
    {
      ...tenant,
      summary: 'List the member add requests of a chapter',
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
      summary: 'File a member add request',
      description:
        'Admins of the region decide first, then admins of the organization. If the region has no other reviewer, ' +
        'the first step is skipped: `first_tier_skipped`.',
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
      summary: 'List member add requests',
      description: 'Admins of the organization see all requests, others those of their region or chapter.',
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
      summary: 'Review several member add requests with one decision',
      description: 'Requests are reviewed independently: a refused one does not affect the others.',
      operationId: 'reviewMemberAddRequests',
      rule: by(memberAddRequestPolicy, 'review_regional', 'review_organization'),
      params: OrganizationParams,
      body: BulkReviewBody,
      response: OutcomesJson,
    },
    async ({ actor, body: { ids, ...decision } }) => {
      // An actor who may not review in any chapter is refused as a whole.
      chaptersWithin(actor, memberAddRequestPolicy, actor.isNationalAdmin ? 'review_organization' : 'review_regional');
      return reviewMany(ids, (id) => review(actor, id, { ...decision, isInBulk: true }));
    },
  ),

  get(
    `${IN_ORGANIZATION}/:id/`,
    {
      ...tenant,
      summary: 'Get a member add request',
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
      summary: 'Review a member add request',
      description:
        'The final approval adds the membership like a manual addition, and is refused for the same reasons; ' +
        'the request then stays pending. If the same person decides in both steps, `version` is required.',
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
      summary: 'Withdraw your member add request',
      operationId: 'withdrawMemberAddRequest',
      rule: by(memberAddRequestPolicy, 'withdraw'),
      params: OrganizationRowParams,
      response: MemberAddRequestJson,
      errors: [request_closed],
    },
    async ({ actor, params }) => {
      const request = await lockForEdit(MemberAddRequest, params.id);
      authorize(actor, memberAddRequestPolicy, 'withdraw', { user_id: request.requested_by });
      await withdrawRequest(memberAddRequests, request);
      return readRow(MemberAddRequest, params.id);
    },
  ),
];
