import { lockForEdit } from '../../../models/database/model/change.js';
import { readRow } from '../../../models/database/model/read.js';
import { refuse } from '../../../models/errors.js';
import type { Actor } from '../../../models/identity/Actor.js';
import { identityErrors } from '../../../models/identity/errors.js';
import { pageOfChapter } from '../../../models/organizations/chapters.js';
import { organizationsErrors } from '../../../models/organizations/errors.js';
import { HandOverRequest } from '../../../models/organizations/hand-over-requests/HandOverRequest.js';
import { handOverRequests } from '../../../models/organizations/hand-over-requests/kind.js';
import { reviewHandOverRequest } from '../../../models/organizations/hand-over-requests/reviewHandOverRequest.js';
import { requireDecidable, type Review, withdrawRequest } from '../../../models/organizations/requests/decide.js';
import { requestErrors } from '../../../models/organizations/requests/errors.js';
import { listRequests } from '../../../models/organizations/requests/listRequests.js';
import { reviewMany } from '../../../models/organizations/requests/reviewMany.js';
import { pageOf, pageRequest, presentPage } from '../../http/pagination.js';
import { OrganizationParams, OrganizationRowParams, RowParams } from '../../http/params.js';
import {
  authorize,
  by,
  chapterManagers,
  chaptersWithin,
  nationalAdmin,
  policy,
  regionalAdminOfChapter,
  self,
} from '../../http/policy.js';
import { get, post } from '../../http/routes.js';
import { authorizeInChapter } from '../authorizeInChapter.js';
import { BulkReviewBody, OutcomesJson } from '../requests.js';
import { HandOverRequestFilters, HandOverRequestJson, HandOverReview } from './schema.js';

export const handOverRequestPolicy = policy('hand-over request', {
  read: chapterManagers,
  withdraw: [self],
  review: [nationalAdmin, regionalAdminOfChapter],
});

const tenant = { access: 'tenant', tags: ['organizations'] } as const;
const IN_ORGANIZATION = '/api/organizations/:organization_id/hand-over-requests';
const { own_request, request_closed } = requestErrors;
const { later_change_exists, not_in_active_standing, term_ended } = organizationsErrors;

/**
 * Reviews a hand-over request.
 * @returns its status afterwards
 */
async function review(actor: Actor, id: string, decision: Review): Promise<string> {
  const request = await lockForEdit(HandOverRequest, id);
  authorize(actor, handOverRequestPolicy, 'review', { chapter_id: request.chapter_id });
  requireDecidable(request, actor.userId, decision.version);
  await reviewHandOverRequest(request, actor.userId, decision);
  return request.status;
}

export const handOverRequestRoutes = [
  get(
    '/api/chapters/:id/hand-over-requests/',
    {
      ...tenant,
      summary: 'List the hand-over requests of a chapter',
      operationId: 'listChapterHandOverRequests',
      rule: by(handOverRequestPolicy, 'read'),
      params: RowParams,
      query: HandOverRequestFilters,
      response: pageOf(HandOverRequestJson),
    },
    async ({ actor, params, query, request }) => {
      await authorizeInChapter(actor, handOverRequestPolicy, 'read', params.id);
      const list = { chapters: [params.id], status: query.status, orderBy: query.ordering, ...pageRequest(query) };
      const page = await pageOfChapter(params.id, listRequests<never>(HandOverRequest, list));
      return presentPage(page, query, request, (row) => row);
    },
  ),

  get(
    `${IN_ORGANIZATION}/`,
    {
      ...tenant,
      summary: 'List hand-over requests',
      description: 'Admins of the organization see all requests, others those of their region or chapter.',
      rule: by(handOverRequestPolicy, 'read'),
      params: OrganizationParams,
      query: HandOverRequestFilters,
      response: pageOf(HandOverRequestJson),
    },
    async ({ actor, query, request }) => {
      const chapters = chaptersWithin(actor, handOverRequestPolicy, 'read');
      const list = { chapters, status: query.status, orderBy: query.ordering, ...pageRequest(query) };
      return presentPage(await listRequests<never>(HandOverRequest, list), query, request, (row) => row);
    },
  ),

  post(
    `${IN_ORGANIZATION}/bulk-review/`,
    {
      ...tenant,
      summary: 'Review several hand-over requests with one decision',
      description: 'Requests are reviewed independently: a refused one does not affect the others.',
      operationId: 'reviewHandOverRequests',
      rule: by(handOverRequestPolicy, 'review'),
      params: OrganizationParams,
      body: BulkReviewBody,
      response: OutcomesJson,
    },
    async ({ actor, body: { ids, ...decision } }) => {
      // An actor who may not review in any chapter is refused as a whole.
      chaptersWithin(actor, handOverRequestPolicy, 'review');
      return reviewMany(ids, (id) => review(actor, id, decision));
    },
  ),

  get(
    `${IN_ORGANIZATION}/:id/`,
    {
      ...tenant,
      summary: 'Get a hand-over request',
      rule: by(handOverRequestPolicy, 'read'),
      params: OrganizationRowParams,
      response: HandOverRequestJson,
    },
    async ({ actor, params }) => {
      const row = await readRow(HandOverRequest, params.id);
      authorize(actor, handOverRequestPolicy, 'read', { chapter_id: row.chapter });
      return row;
    },
  ),

  post(
    `${IN_ORGANIZATION}/:id/review/`,
    {
      ...tenant,
      summary: 'Review a hand-over request',
      description: 'An approval hands the office over at once, or on the requested day.',
      operationId: 'reviewHandOverRequest',
      rule: by(handOverRequestPolicy, 'review'),
      params: OrganizationRowParams,
      body: HandOverReview,
      response: HandOverRequestJson,
      errors: [
        own_request,
        request_closed,
        refuse.stale_version,
        refuse.duplicate,
        requestErrors.request_open,
        not_in_active_standing,
        later_change_exists,
        term_ended,
        identityErrors.invitation_open,
      ],
    },
    async ({ actor, params, body }) => {
      await review(actor, params.id, body);
      return readRow(HandOverRequest, params.id);
    },
  ),

  post(
    `${IN_ORGANIZATION}/:id/withdraw/`,
    {
      ...tenant,
      summary: 'Withdraw your hand-over request',
      operationId: 'withdrawHandOverRequest',
      rule: by(handOverRequestPolicy, 'withdraw'),
      params: OrganizationRowParams,
      response: HandOverRequestJson,
      errors: [request_closed],
    },
    async ({ actor, params }) => {
      const request = await lockForEdit(HandOverRequest, params.id);
      authorize(actor, handOverRequestPolicy, 'withdraw', { user_id: request.requested_by });
      await withdrawRequest(handOverRequests, request);
      return readRow(HandOverRequest, params.id);
    },
  ),
];
