import { lockForEdit } from '../../../models/database/model/change.js';
import { rowJson } from '../../../models/database/model/schemas.js';
import { refuse } from '../../../models/errors.js';
import { identityErrors } from '../../../models/identity/errors.js';
import { pageOfChapter } from '../../../models/organizations/chapters.js';
import { organizationsErrors } from '../../../models/organizations/errors.js';
import { HandOverRequest } from '../../../models/organizations/hand-over-requests/HandOverRequest.js';
import { handOverRequests } from '../../../models/organizations/hand-over-requests/kind.js';
import { reviewHandOverRequest } from '../../../models/organizations/hand-over-requests/reviewHandOverRequest.js';
import { requireDecidable } from '../../../models/organizations/requests/decide.js';
import { requestErrors } from '../../../models/organizations/requests/errors.js';
import { listRequests } from '../../../models/organizations/requests/listRequests.js';
import { pageOf, pageRequest, presentPage } from '../../http/pagination.js';
import { RowParams } from '../../http/params.js';
import {
  authorize,
  by,
  chapterManagers,
  nationalAdmin,
  policy,
  regionalAdminOfChapter,
  self,
} from '../../http/policy.js';
import { get, routes } from '../../http/routes.js';
import { authorizeInChapter } from '../authorizeInChapter.js';
import { requestFilters, reviewBody } from '../requests.js';
import { reviewableRequest } from '../reviewableRequest.js';

export const handOverRequestPolicy = policy('hand-over request', {
  read: chapterManagers,
  withdraw: [self],
  review: [nationalAdmin, regionalAdminOfChapter],
});

const tenant = { access: 'tenant', tags: ['organizations'] } as const;

const requests = reviewableRequest(handOverRequests, {
  policy: handOverRequestPolicy,
  tags: tenant.tags,
  reviewedBy: ['review'],
  body: reviewBody('HandOverReview', {}),
  async review(actor, id, decision) {
    const request = await lockForEdit(HandOverRequest, id);
    authorize(actor, handOverRequestPolicy, 'review', { chapter_id: request.chapter_id });
    requireDecidable(request, actor.userId, decision.version);
    await reviewHandOverRequest(request, actor.userId, decision);
    return request.status;
  },
});

export const handOverRequestRoutes = [
  get(
    '/api/chapters/:id/hand-over-requests/',
    {
      ...tenant,
      summary: 'List the hand-over requests of a chapter',
      operationId: 'listChapterHandOverRequests',
      rule: by(handOverRequestPolicy, 'read'),
      params: RowParams,
      query: requestFilters(HandOverRequest),
      response: pageOf(rowJson(HandOverRequest)),
    },
    async ({ actor, params, query, request }) => {
      await authorizeInChapter(actor, handOverRequestPolicy, 'read', params.id);
      const list = { chapters: [params.id], status: query.status, orderBy: query.ordering, ...pageRequest(query) };
      const page = await pageOfChapter(params.id, listRequests<never>(HandOverRequest, list));
      return presentPage(page, query, request, (row) => row);
    },
  ),

  ...routes('/api/organizations/:organization_id/hand-over-requests', [
    requests.list({
      description: 'Admins of the organization see all requests, others those of their region or chapter.',
    }),
    requests.reviewSeveral(),
    requests.read(),
    requests.review({
      description: 'An approval hands the office over at once, or on the requested day.',
      errors: [
        refuse.stale_version,
        refuse.duplicate,
        requestErrors.request_open,
        organizationsErrors.not_in_active_standing,
        organizationsErrors.later_change_exists,
        organizationsErrors.term_ended,
        identityErrors.invitation_open,
      ],
    }),
    requests.withdraw(),
  ]),
];
