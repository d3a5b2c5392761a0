import { lockForEdit } from '../../../models/database/model/change.js';
import { readPage, readRow } from '../../../models/database/model/read.js';
import { toColumns } from '../../../models/database/model/schemas.js';
import { requireFound, refuse } from '../../../models/errors.js';
import type { Actor } from '../../../models/identity/Actor.js';
import { identityErrors } from '../../../models/identity/errors.js';
import { organizationsErrors } from '../../../models/organizations/errors.js';
import { findMembershipSubject } from '../../../models/organizations/lifecycle/history.js';
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
const transferErrors = [chapter_not_active, membership_exists, transfer_in_progress, transition_not_allowed];

/**
 * Reviews a transfer request.
 * @returns its status afterwards
 */
async function review(actor: Actor, id: string, decision: Review): Promise<string> {
  const request = await lockForEdit(TransferRequest, id);
  const tier = await authorizeReview(actor, request, decision.version);
  await reviewTransferRequest(request, tier, actor.userId, decision);
  return request.status;
}

export const transferRequestRoutes = [
  get(
    OF_MEMBERSHIP,
    {
      ...tenant,
      summary: 'List the transfer requests of a membership',
      operationId: 'listMembershipTransferRequests',
      rule: by(transferRequestPolicy, 'read'),
      params: RowParams,
      query: TransferRequestFilters,
      response: pageOf(TransferRequestJson),
    },
    async ({ actor, params, query, request }) => {
      authorize(actor, transferRequestPolicy, 'read', requireFound(await findMembershipSubject(params.id)));
      const where = { membership_id: params.id, status: query.status };
      const page = await readPage(TransferRequest, { where, orderBy: query.ordering, ...pageRequest(query) });
      return presentPage(page, query, request, (row) => row);
    },
  ),

  post(
    OF_MEMBERSHIP,
    {
      ...tenant,
      summary: 'File a transfer request to another chapter',
      description:
        'For the member and officers of the chapter. Officers of the destination chapter decide, then the organization. If there ' +
        'is no such officer, the first step is skipped: `first_tier_skipped`.',
      operationId: 'fileTransferRequest',
      rule: by(transferRequestPolicy, 'file'),
      params: RowParams,
      body: TransferRequestBody,
      response: TransferRequestJson,
      status: 201,
      errors: [request_open, identityErrors.invitation_open, ...transferErrors],
    },
    async ({ actor, params, body }) => {
      authorize(actor, transferRequestPolicy, 'file', requireFound(await findMembershipSubject(params.id)));
      const id = await fileTransferRequest(params.id, actor.userId, toColumns(TransferRequest, body));
      return readRow(TransferRequest, id);
    },
  ),

  get(
    `${IN_ORGANIZATION}/`,
    {
      ...tenant,
      summary: 'List transfer requests',
      description:
        'Admins of the organization see all requests, others those from and to chapters of their region or their own chapter.',
      rule: by(transferRequestPolicy, 'read'),
      params: OrganizationParams,
      query: TransferRequestFilters,
      response: pageOf(TransferRequestJson),
    },
    async ({ actor, query, request }) => {
      const chapters = chaptersWithin(actor, transferRequestPolicy, 'read');
      const chapterColumns = ['chapter_id', 'to_chapter_id'];
      const list = { chapters, chapterColumns, status: query.status, orderBy: query.ordering, ...pageRequest(query) };
      return presentPage(await listRequests<never>(TransferRequest, list), query, request, (row) => row);
    },
  ),

  post(
    `${IN_ORGANIZATION}/bulk-review/`,
    {
      ...tenant,
      summary: 'Review several transfer requests with one decision',
      description: 'Requests are reviewed independently: a refused one does not affect the others.',
      operationId: 'reviewTransferRequests',
      rule: by(transferRequestPolicy, 'review_destination', 'review_organization'),
      params: OrganizationParams,
      body: BulkReviewBody,
      response: OutcomesJson,
    },
    async ({ actor, body: { ids, ...decision } }) => {
      // An actor who may not review in any chapter is refused as a whole.
      chaptersWithin(
        actor,
        transferRequestPolicy,
        actor.isNationalAdmin ? 'review_organization' : 'review_destination',
      );
      return reviewMany(ids, (id) => review(actor, id, decision));
    },
  ),

  get(
    `${IN_ORGANIZATION}/:id/`,
    {
      ...tenant,
      summary: 'Get a transfer request',
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
      summary: 'Review a transfer request',
      description:
        'The final approval makes the transfer, or schedules it for its day, and is refused for the same reasons as a transfer; the ' +
        'request then stays pending. If the same person decides in both steps, `version` is required.',
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
        ...transferErrors,
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
      summary: 'Withdraw your transfer request',
      operationId: 'withdrawTransferRequest',
      rule: by(transferRequestPolicy, 'withdraw'),
      params: OrganizationRowParams,
      response: TransferRequestJson,
      errors: [request_closed],
    },
    async ({ actor, params }) => {
      const request = await lockForEdit(TransferRequest, params.id);
      authorize(actor, transferRequestPolicy, 'withdraw', { user_id: request.requested_by });
      await withdrawRequest(transferRequests, request);
      return readRow(TransferRequest, params.id);
    },
  ),
];
