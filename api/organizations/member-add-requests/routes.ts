import { z } from 'zod';
import { lockForEdit } from '../../../models/database/model/change.js';
import { readRow } from '../../../models/database/model/read.js';
import { createBody, rowJson } from '../../../models/database/model/schemas.js';
import { refuse } from '../../../models/errors.js';
import type { Actor } from '../../../models/identity/Actor.js';
import { email } from '../../../models/fields.js';
import { chapterExists } from '../../../models/organizations/chapters.js';
import { organizationsErrors } from '../../../models/organizations/errors.js';
import { fileMemberAddRequest } from '../../../models/organizations/member-add-requests/fileMemberAddRequest.js';
import { memberAddRequests } from '../../../models/organizations/member-add-requests/kind.js';
import { MemberAddRequest } from '../../../models/organizations/member-add-requests/MemberAddRequest.js';
import { reviewMemberAddRequest } from '../../../models/organizations/member-add-requests/reviewMemberAddRequest.js';
import { tierOf } from '../../../models/organizations/member-add-requests/tiers.js';
import { requireDecidable } from '../../../models/organizations/requests/decide.js';
import { requestErrors } from '../../../models/organizations/requests/errors.js';
import { listRequests } from '../../../models/organizations/requests/listRequests.js';
import { MEMBERSHIP_STATUSES } from '../../../models/organizations/vocabulary.js';
import { pageOf, pageRequest, presentPage } from '../../http/pagination.js';
import { RowParams } from '../../http/params.js';
import {
  authorize,
  by,
  chapterManagers,
  nationalAdmin,
  officerOfChapter,
  policy,
  regionalAdminOfChapter,
  self,
} from '../../http/policy.js';
import { get, post, routes } from '../../http/routes.js';
import { authorizeInChapter } from '../authorizeInChapter.js';
import { requestFilters, reviewBody } from '../requests.js';
import { authorizeTier, reviewableRequest, type ReviewFacts } from '../reviewableRequest.js';

export const memberAddRequestPolicy = policy('member add request', {
  read: chapterManagers,
  file: [officerOfChapter],
  withdraw: [self],
  review_regional: [regionalAdminOfChapter],
  review_organization: [nationalAdmin],
});

const tenant = { access: 'tenant', tags: ['organizations'] } as const;
const IN_CHAPTER = '/api/chapters/:id/member-add-requests/';
const { chapter_not_active, membership_exists, not_in_active_standing, office_taken } = organizationsErrors;

const MemberAddRequestBody = z
  .object({ ...createBody(MemberAddRequest).shape, email })
  .refine(({ graduation_season, graduation_year }) => !graduation_season || graduation_year, {
    path: ['graduation_season'],
    message: 'A season requires a graduation year.',
  })
  .meta({ id: 'MemberAddRequestCreate' });

const MemberAddReview = reviewBody('MemberAddReview', {
  status: z.enum(MEMBERSHIP_STATUSES).optional().meta({
    description: 'Status of the new membership. Defaults to undergrad, or to alumni for the role alumni.',
  }),
});

const MemberAddRequestJson = rowJson(MemberAddRequest);

/** Authorizes the review of a request, for the queue and for the list of approvals. */
export const authorizeMemberAddReview = (actor: Actor, facts: ReviewFacts<'regional'>) =>
  authorizeTier(actor, facts, {
    policy: memberAddRequestPolicy,
    first: 'regional',
    tooEarly: 'An admin of the region must decide first.',
  });

const requests = reviewableRequest(memberAddRequests, {
  policy: memberAddRequestPolicy,
  tags: tenant.tags,
  reviewedBy: ['review_regional', 'review_organization'],
  body: MemberAddReview,
  async review(actor, id, decision) {
    const request = await lockForEdit(MemberAddRequest, id);
    const tier = await authorizeMemberAddReview(actor, {
      chapterId: request.chapter_id,
      requireDecidable: () => requireDecidable(request, actor.userId, decision.version),
      findTier: () => tierOf(request),
    });
    await reviewMemberAddRequest(request, tier, actor.userId, decision);
    return request.status;
  },
});

export const memberAddRequestRoutes = [
  get(
    IN_CHAPTER,
    {
      ...tenant,
      summary: 'List the member add requests of a chapter',
      operationId: 'listChapterMemberAddRequests',
      rule: by(memberAddRequestPolicy, 'read'),
      params: RowParams,
      query: requestFilters(MemberAddRequest),
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
      errors: [requestErrors.request_open, membership_exists, chapter_not_active],
    },
    async ({ actor, params, body }) => {
      if (!(await chapterExists(params.id))) throw refuse.not_found();
      authorize(actor, memberAddRequestPolicy, 'file', { chapter_id: params.id });
      return readRow(MemberAddRequest, await fileMemberAddRequest(params.id, actor.userId, body));
    },
  ),

  ...routes('/api/organizations/:organization_id/member-add-requests', [
    requests.list({
      description: 'Admins of the organization see all requests, others those of their region or chapter.',
    }),
    requests.reviewSeveral(),
    requests.read(),
    requests.review({
      description:
        'The final approval adds the membership like a manual addition, and is refused for the same reasons; ' +
        'the request then stays pending. If the same person decides in both steps, `version` is required.',
      errors: [membership_exists, not_in_active_standing, office_taken, chapter_not_active, refuse.stale_version],
    }),
    requests.withdraw(),
  ]),
];
