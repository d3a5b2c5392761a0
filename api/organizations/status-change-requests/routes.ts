import { lockForEdit } from '../../../models/database/model/change.js';
import { readPage, readRow } from '../../../models/database/model/read.js';
import { requireFound, refuse } from '../../../models/errors.js';
import type { Actor } from '../../../models/identity/Actor.js';
import { organizationsErrors } from '../../../models/organizations/errors.js';
import { readMembership } from '../../../models/organizations/memberships.js';
import { type Review, withdrawRequest } from '../../../models/organizations/requests/decide.js';
import { requestErrors } from '../../../models/organizations/requests/errors.js';
import { listRequests } from '../../../models/organizations/requests/listRequests.js';
import { reviewMany } from '../../../models/organizations/requests/reviewMany.js';
import { fileStatusChangeRequest } from '../../../models/organizations/status-change-requests/fileStatusChangeRequest.js';
import { statusChangeRequests } from '../../../models/organizations/status-change-requests/kind.js';
import { reviewStatusChangeRequest } from '../../../models/organizations/status-change-requests/reviewStatusChangeRequest.js';
import { StatusChangeRequest } from '../../../models/organizations/status-change-requests/StatusChangeRequest.js';
import { pageOf, pageRequest, presentPage } from '../../http/pagination.js';
import { OrganizationParams, OrganizationRowParams, RowParams } from '../../http/params.js';
import { authorize, by, chaptersWithin } from '../../http/policy.js';
import { get, post } from '../../http/routes.js';
import { BulkReviewBody, OutcomesJson } from '../requests.js';
import { authorizeReview } from './authorizeReview.js';
import { statusChangeRequestPolicy } from './policy.js';
import {
  StatusChangeRequestBody,
  StatusChangeRequestFilters,
  StatusChangeRequestJson,
  StatusChangeReview,
} from './schema.js';

const tenant = { access: 'tenant', tags: ['organizations'] } as const;
const OF_MEMBERSHIP = '/api/memberships/:id/status-change-requests/';
const IN_ORGANIZATION = '/api/organizations/:organization_id/status-change-requests';
const { own_request, request_closed, request_open } = requestErrors;
const { change_scheduled, chapter_not_active, transition_not_allowed, later_change_exists } = organizationsErrors;

const subjectOf = ({ id, chapter, user }: { id: string; chapter: string; user: string }) => ({
  membership_id: id,
  chapter_id: chapter,
  user_id: user,
});

/**
 * Reviews a status change request.
 * @returns its status afterwards
 */
async function review(actor: Actor, id: string, decision: Review): Promise<string> {
  const request = await lockForEdit(StatusChangeRequest, id);
  const tier = await authorizeReview(actor, request, decision.version);
  await reviewStatusChangeRequest(request, tier, actor.userId, decision);
  return request.status;
}

export const statusChangeRequestRoutes = [
  get(
    OF_MEMBERSHIP,
    {
      ...tenant,
      summary: 'List the status change requests of a membership',
      operationId: 'listMembershipStatusChangeRequests',
      rule: by(statusChangeRequestPolicy, 'read'),
      params: RowParams,
      query: StatusChangeRequestFilters,
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
      errors: [request_open, transition_not_allowed, chapter_not_active],
    },
    async ({ actor, params, body }) => {
      const membership = requireFound(await readMembership(params.id));
      authorize(actor, statusChangeRequestPolicy, 'file', subjectOf(membership));
      return readRow(StatusChangeRequest, await fileStatusChangeRequest(params.id, actor.userId, body));
    },
  ),

  get(
    `${IN_ORGANIZATION}/`,
    {
      ...tenant,
      summary: 'List status change requests',
      description: 'Admins of the organization see all requests, others those of their region or chapter.',
      rule: by(statusChangeRequestPolicy, 'read'),
      params: OrganizationParams,
      query: StatusChangeRequestFilters,
      response: pageOf(StatusChangeRequestJson),
    },
    async ({ actor, query, request }) => {
      const chapters = chaptersWithin(actor, statusChangeRequestPolicy, 'read');
      const list = { chapters, status: query.status, orderBy: query.ordering, ...pageRequest(query) };
      return presentPage(await listRequests<never>(StatusChangeRequest, list), query, request, (row) => row);
    },
  ),

  post(
    `${IN_ORGANIZATION}/bulk-review/`,
    {
      ...tenant,
      summary: 'Review several status change requests with one decision',
      description: 'Requests are reviewed independently: a refused one does not affect the others.',
      operationId: 'reviewStatusChangeRequests',
      rule: by(statusChangeRequestPolicy, 'review_officer', 'review_organization'),
      params: OrganizationParams,
      body: BulkReviewBody,
      response: OutcomesJson,
    },
    async ({ actor, body: { ids, ...decision } }) => {
      // An actor who may not review in any chapter is refused as a whole.
      chaptersWithin(
        actor,
        statusChangeRequestPolicy,
        actor.isNationalAdmin ? 'review_organization' : 'review_officer',
      );
      return reviewMany(ids, (id) => review(actor, id, { ...decision, isInBulk: true }));
    },
  ),

  get(
    `${IN_ORGANIZATION}/:id/`,
    {
      ...tenant,
      summary: 'Get a status change request',
      rule: by(statusChangeRequestPolicy, 'read'),
      params: OrganizationRowParams,
      response: StatusChangeRequestJson,
    },
    async ({ actor, params }) => {
      const row = await readRow(StatusChangeRequest, params.id);
      const subject = { chapter_id: row.chapter, membership_id: row.membership, user_id: row.requested_by };
      authorize(actor, statusChangeRequestPolicy, 'read', subject);
      return row;
    },
  ),

  post(
    `${IN_ORGANIZATION}/:id/review/`,
    {
      ...tenant,
      summary: 'Review a status change request',
      description:
        'The final approval makes the change like a manual change, and is refused for the same reasons; the ' +
        'request then stays pending. If the same person decides in both steps, `version` is required.',
      operationId: 'reviewStatusChangeRequest',
      rule: by(statusChangeRequestPolicy, 'review_officer', 'review_organization'),
      params: OrganizationRowParams,
      body: StatusChangeReview,
      response: StatusChangeRequestJson,
      errors: [
        own_request,
        request_closed,
        transition_not_allowed,
        later_change_exists,
        change_scheduled,
        refuse.stale_version,
      ],
    },
    async ({ actor, params, body }) => {
      await review(actor, params.id, body);
      return readRow(StatusChangeRequest, params.id);
    },
  ),

  post(
    `${IN_ORGANIZATION}/:id/withdraw/`,
    {
      ...tenant,
      summary: 'Withdraw your status change request',
      operationId: 'withdrawStatusChangeRequest',
      rule: by(statusChangeRequestPolicy, 'withdraw'),
      params: OrganizationRowParams,
      response: StatusChangeRequestJson,
      errors: [request_closed],
    },
    async ({ actor, params }) => {
      const request = await lockForEdit(StatusChangeRequest, params.id);
      authorize(actor, statusChangeRequestPolicy, 'withdraw', { user_id: request.requested_by });
      await withdrawRequest(statusChangeRequests, request);
      return readRow(StatusChangeRequest, params.id);
    },
  ),
];
