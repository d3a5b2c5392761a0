import { lockRow } from '../../../models/database/model/change.js';
import { readPage, readRow } from '../../../models/database/model/read.js';
import { toColumns } from '../../../models/database/model/schemas.js';
import { found, refuse } from '../../../models/errors.js';
import type { Actor } from '../../../models/identity/Actor.js';
import { identityErrors } from '../../../models/identity/errors.js';
import { organizationsErrors } from '../../../models/organizations/errors.js';
import { subjectOf } from '../../../models/organizations/lifecycle/history.js';
import { type Review, withdrawRequest } from '../../../models/organizations/requests/decide.js';
import { requestErrors } from '../../../models/organizations/requests/errors.js';
import { listRequests } from '../../../models/organizations/requests/listRequests.js';
import { reviewMany } from '../../../models/organizations/requests/reviewMany.js';
import { fileTransferRequest } from '../../../models/organizations/transfer-requests/fileTransferRequest.js';
import { transferRequests } from '../../../models/organizations/transfer-requests/kind.js';
import { reviewTransferRequest } from '../../../models/organizations/transfer-requests/reviewTransferRequest.js';
import { TransferRequest } from '../../../models/organizations/transfer-requests/TransferRequest.js';
import { pageOf, pageRequest, presentPage } from '../../http/pagination.js';
import { OrganizationParams, OrganizationRowParams, RowParams } from '../../http/params.js';
import { authorize, by, chaptersWithin, may } from '../../http/policy.js';
import { get, post } from '../../http/routes.js';
import { BulkReviewBody, OutcomesJson } from '../requests.js';
import { authorizeReview } from './authorizeReview.js';
import { transferRequestPolicy } from './policy.js';
import { TransferRequestBody, TransferRequestFilters, TransferRequestJson, TransferReview } from './schema.js';

const tenant = { access: 'tenant', tags: ['organizations'] } as const;
const OF_MEMBERSHIP = '/api/memberships/:id/transfer-requests/';
const IN_ORGANIZATION = '/api/organizations/:organization_id/transfer-requests';
const { own_request, request_closed, request_open } = requestErrors;
const { chapter_not_active, later_change_exists, membership_exists, transfer_in_progress, transition_not_allowed } =
  organizationsErrors;
const facts = [chapter_not_active, membership_exists, transfer_in_progress, transition_not_allowed];

/** @returns its status afterwards */
async function review(actor: Actor, id: string, said: Review): Promise<string> {
  const request = await lockRow(TransferRequest, id);
  const tier = await authorizeReview(actor, request, said.version);
  await reviewTransferRequest(request, tier, actor.userId, said);
  return request.status;
}

export const transferRequestRoutes = [
  get(
    OF_MEMBERSHIP,
    {
      ...tenant,
      summary: 'Transfers that were asked for a membership',
      operationId: 'listMembershipTransferRequests',
      rule: by(transferRequestPolicy, 'read'),
      params: RowParams,
      query: TransferRequestFilters,
      response: pageOf(TransferRequestJson),
    },
    async ({ actor, params, query, request }) => {
      authorize(actor, transferRequestPolicy, 'read', found(await subjectOf(params.id)));
      const where = { membership_id: params.id, status: query.status };
      const page = await readPage(TransferRequest, { where, orderBy: query.ordering, ...pageRequest(query) });
      return presentPage(page, query, request, (row) => row);
    },
  ),

  post(
    OF_MEMBERSHIP,
    {
      ...tenant,
      summary: 'Ask for a transfer to another chapter',
      description:
        'For the member and officers of the chapter. Officers of the other chapter decide, then the organization. Where there ' +
        'is no such officer, the first step is left out: `first_tier_skipped`.',
      operationId: 'fileTransferRequest',
      rule: by(transferRequestPolicy, 'file'),
      params: RowParams,
      body: TransferRequestBody,
      response: TransferRequestJson,
      status: 201,
      errors: [request_open, identityErrors.invitation_open, ...facts],
    },
    async ({ actor, params, body }) => {
      authorize(actor, transferRequestPolicy, 'file', found(await subjectOf(params.id)));
      const id = await fileTransferRequest(params.id, actor.userId, toColumns(TransferRequest, body));
      return readRow(TransferRequest, id);
    },
  ),

  get(
    `${IN_ORGANIZATION}/`,
    {
      ...tenant,
      summary: 'Requests for a transfer',
      description: 'All for admins of the organization, else those from and to chapters of your region or your own.',
      rule: by(transferRequestPolicy, 'read'),
      params: OrganizationParams,
      query: TransferRequestFilters,
      response: pageOf(TransferRequestJson),
    },
    async ({ actor, query, request }) => {
      const chapters = chaptersWithin(actor, transferRequestPolicy, 'read');
      const of = ['chapter_id', 'to_chapter_id'];
      const list = { chapters, of, status: query.status, orderBy: query.ordering, ...pageRequest(query) };
      return presentPage(await listRequests<never>(TransferRequest, list), query, request, (row) => row);
    },
  ),

  post(
    `${IN_ORGANIZATION}/bulk-review/`,
    {
      ...tenant,
      summary: 'Decide many requests for a transfer alike',
      description: 'Each by itself: one that is refused keeps back no other.',
      operationId: 'reviewTransferRequests',
      rule: by(transferRequestPolicy, 'review_destination', 'review_organization'),
      params: OrganizationParams,
      body: BulkReviewBody,
      response: OutcomesJson,
    },
    async ({ actor, body: { ids, ...said } }) => {
      // Whoever decides nothing anywhere is refused as a whole.
      chaptersWithin(
        actor,
        transferRequestPolicy,
        actor.isNationalAdmin ? 'review_organization' : 'review_destination',
      );
      return reviewMany(ids, (id) => review(actor, id, said));
    },
  ),

  get(
    `${IN_ORGANIZATION}/:id/`,
    {
      ...tenant,
      summary: 'A request for a transfer',
      rule: by(transferRequestPolicy, 'read'),
      params: OrganizationRowParams,
      response: TransferRequestJson,
    },
    async ({ actor, params }) => {
      const row = await readRow(TransferRequest, params.id);
      if (!may(actor, transferRequestPolicy, 'read', { chapter_id: row.to_chapter })) {
        const subject = { chapter_id: row.chapter, membership_id: row.membership, user_id: row.requested_by };
        authorize(actor, transferRequestPolicy, 'read', subject);
      }
      return row;
    },
  ),

  post(
    `${IN_ORGANIZATION}/:id/review/`,
    {
      ...tenant,
      summary: 'Decide a request for a transfer',
      description:
        'The last approval makes the transfer, or schedules it for its day, and is refused by what would refuse that: the ' +
        'request then goes on waiting. Whoever has decided first and decides last, too, says the `version` they saw.',
      operationId: 'reviewTransferRequest',
      rule: by(transferRequestPolicy, 'review_destination', 'review_organization'),
      params: OrganizationRowParams,
      body: TransferReview,
      response: TransferRequestJson,
      errors: [
        own_request,
        request_closed,
        later_change_exists,
        organizationsErrors.change_scheduled,
        identityErrors.invitation_open,
        refuse.stale_version,
        ...facts,
      ],
    },
    async ({ actor, params, body }) => {
      await review(actor, params.id, body);
      return readRow(TransferRequest, params.id);
    },
  ),

  post(
    `${IN_ORGANIZATION}/:id/withdraw/`,
    {
      ...tenant,
      summary: 'Take back a transfer that you have asked for',
      operationId: 'withdrawTransferRequest',
      rule: by(transferRequestPolicy, 'withdraw'),
      params: OrganizationRowParams,
      response: TransferRequestJson,
      errors: [request_closed],
    },
    async ({ actor, params }) => {
      const request = await lockRow(TransferRequest, params.id);
      authorize(actor, transferRequestPolicy, 'withdraw', { user_id: request.requested_by });
      await withdrawRequest(transferRequests, request);
      return readRow(TransferRequest, params.id);
    },
  ),
];
