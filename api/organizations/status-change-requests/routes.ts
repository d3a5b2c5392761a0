import { z } from 'zod';
import { lockForEdit } from '../../../models/database/model/change.js';
import { readPage, readRow } from '../../../models/database/model/read.js';
import { createBody, rowJson } from '../../../models/database/model/schemas.js';
import { requireFound, refuse } from '../../../models/errors.js';
import type { Actor } from '../../../models/identity/Actor.js';
import { organizationsErrors } from '../../../models/organizations/errors.js';
import { readMembership } from '../../../models/organizations/memberships.js';
import { requireDecidable } from '../../../models/organizations/requests/decide.js';
import { requestErrors } from '../../../models/organizations/requests/errors.js';
import { fileStatusChangeRequest } from '../../../models/organizations/status-change-requests/fileStatusChangeRequest.js';
import { statusChangeRequests } from '../../../models/organizations/status-change-requests/kind.js';
import {
  findStatusTier,
  reviewStatusChangeRequest,
} from '../../../models/organizations/status-change-requests/reviewStatusChangeRequest.js';
import { StatusChangeRequest } from '../../../models/organizations/status-change-requests/StatusChangeRequest.js';
import { MEMBERSHIP_STATUSES } from '../../../models/organizations/vocabulary.js';
import { pageOf, pageRequest, presentPage } from '../../http/pagination.js';
import { RowParams } from '../../http/params.js';
import { authorize, by, chapterManagers, nationalAdmin, officerOfChapter, policy, self } from '../../http/policy.js';
import { get, post, routes } from '../../http/routes.js';
import { requestFilters, reviewBody } from '../requests.js';
import { authorizeTier, reviewableRequest, type ReviewFacts } from '../reviewableRequest.js';

export const statusChangeRequestPolicy = policy('status change request', {
  read: [...chapterManagers, self],
  file: [self],
  withdraw: [self],
  review_officer: [officerOfChapter],
  review_organization: [nationalAdmin],
});

const tenant = { access: 'tenant', tags: ['organizations'] } as const;
const OF_MEMBERSHIP = '/api/memberships/:id/status-change-requests/';
const { change_scheduled, chapter_not_active, transition_not_allowed, later_change_exists } = organizationsErrors;

const StatusChangeRequestBody = z
  .object({ status: z.enum(MEMBERSHIP_STATUSES), ...createBody(StatusChangeRequest).shape })
  .meta({ id: 'StatusChangeRequestCreate' });

const StatusChangeRequestJson = rowJson(StatusChangeRequest);

const subjectOf = ({ id, chapter, user }: { id: string; chapter: string; user: string }) => ({
  membership_id: id,
  chapter_id: chapter,
  user_id: user,
});

/** Authorizes the review of a request, for the queue and for the list of approvals. */
export const authorizeStatusChangeReview = (actor: Actor, facts: ReviewFacts<'officer'>) =>
  authorizeTier(actor, facts, {
    policy: statusChangeRequestPolicy,
    first: 'officer',
    tooEarly: 'An officer of the chapter must decide first.',
  });

const requests = reviewableRequest(statusChangeRequests, {
  policy: statusChangeRequestPolicy,
  tags: tenant.tags,
  reviewedBy: ['review_officer', 'review_organization'],
  body: reviewBody('StatusChangeReview', {}),
  async review(actor, id, decision) {
    const request = await lockForEdit(StatusChangeRequest, id);
    const tier = await authorizeStatusChangeReview(actor, {
      chapterId: request.chapter_id,
      requireDecidable: () => requireDecidable(request, actor.userId, decision.version),
      findTier: () => findStatusTier(request),
    });
    await reviewStatusChangeRequest(request, tier, actor.userId, decision);
    return request.status;
  },
});

export const statusChangeRequestRoutes = [
  get(
    OF_MEMBERSHIP,
    {
      ...tenant,
      summary: 'List the status change requests of a membership',
      operationId: 'listMembershipStatusChangeRequests',
      rule: by(statusChangeRequestPolicy, 'read'),
      params: RowParams,
      query: requestFilters(StatusChangeRequest),
      response: pageOf(StatusChangeRequestJson),
    },
    async ({ actor, params, query, request }) => {
      const membership = requireFound(await readMembership(params.id));
      authorize(actor, statusChangeRequestPolicy, 'read', subjectOf(membership));
      const where = { membership_id: params.id, status: query.status };
      const page = await readPage(StatusChangeRequest, { where, orderBy: query.ordering, ...pageRequest(query) });
      return presentPage(page, query, request, (row) => row);
    },
  ),

  post(
    OF_MEMBERSHIP,
    {
      ...tenant,
      summary: 'File a status change request for your membership',
      description:
        'Officers of the chapter decide, then the organization if officers may not make that change. If ' +
        'there is no other officer, the first step is skipped: `first_tier_skipped`.',
      operationId: 'fileStatusChangeRequest',
      rule: by(statusChangeRequestPolicy, 'file'),
      params: RowParams,
      body: StatusChangeRequestBody,
      response: StatusChangeRequestJson,
      status: 201,
      errors: [requestErrors.request_open, transition_not_allowed, chapter_not_active],
    },
    async ({ actor, params, body }) => {
      const membership = requireFound(await readMembership(params.id));
      authorize(actor, statusChangeRequestPolicy, 'file', subjectOf(membership));
      return readRow(StatusChangeRequest, await fileStatusChangeRequest(params.id, actor.userId, body));
    },
  ),

  ...routes('/api/organizations/:organization_id/status-change-requests', [
    requests.list({
      description: 'Admins of the organization see all requests, others those of their region or chapter.',
    }),
    requests.reviewSeveral(),
    requests.read(),
    requests.review({
      description:
        'The final approval makes the change like a manual change, and is refused for the same reasons; the ' +
        'request then stays pending. If the same person decides in both steps, `version` is required.',
      errors: [transition_not_allowed, later_change_exists, change_scheduled, refuse.stale_version],
    }),
    requests.withdraw(),
  ]),
];
