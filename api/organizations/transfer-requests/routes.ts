import { lockForEdit } from '../../../models/database/model/change.js';
import { readPage, readRow } from '../../../models/database/model/read.js';
import { createBody, rowJson, toColumns } from '../../../models/database/model/schemas.js';
import { requireFound, refuse } from '../../../models/errors.js';
import type { Actor } from '../../../models/identity/Actor.js';
import { identityErrors } from '../../../models/identity/errors.js';
import { organizationsErrors } from '../../../models/organizations/errors.js';
import { findMembershipSubject } from '../../../models/organizations/lifecycle/history.js';
import { requireDecidable } from '../../../models/organizations/requests/decide.js';
import { requestErrors } from '../../../models/organizations/requests/errors.js';
import { fileTransferRequest } from '../../../models/organizations/transfer-requests/fileTransferRequest.js';
import { transferRequests } from '../../../models/organizations/transfer-requests/kind.js';
import {
  findTransferTier,
  reviewTransferRequest,
} from '../../../models/organizations/transfer-requests/reviewTransferRequest.js';
import { TransferRequest } from '../../../models/organizations/transfer-requests/TransferRequest.js';
import { pageOf, pageRequest, presentPage } from '../../http/pagination.js';
import { RowParams } from '../../http/params.js';
import { authorize, by, chapterManagers, nationalAdmin, officerOfChapter, policy, self } from '../../http/policy.js';
import { get, post, routes } from '../../http/routes.js';
import { requestFilters, reviewBody } from '../requests.js';
import { authorizeTier, reviewableRequest, type ReviewFacts } from '../reviewableRequest.js';

export const transferRequestPolicy = policy('transfer request', {
  /** Granted by an office in either of the two chapters. */
  read: [...chapterManagers, self],
  file: [officerOfChapter, self],
  withdraw: [self],
  /** Granted by an office in the destination chapter. */
  review_destination: [officerOfChapter],
  review_organization: [nationalAdmin],
});

const tenant = { access: 'tenant', tags: ['organizations'] } as const;
const OF_MEMBERSHIP = '/api/memberships/:id/transfer-requests/';
const { chapter_not_active, membership_exists, transfer_in_progress, transition_not_allowed } = organizationsErrors;
const transferErrors = [chapter_not_active, membership_exists, transfer_in_progress, transition_not_allowed];

const TransferRequestJson = rowJson(TransferRequest);

/** Authorizes the review of a request, for the queue and for the list of approvals. */
export const authorizeTransferReview = (actor: Actor, facts: ReviewFacts<'destination'>) =>
  authorizeTier(actor, facts, {
    policy: transferRequestPolicy,
    first: 'destination',
    tooEarly: 'An officer of the destination chapter must decide first.',
  });

const requests = reviewableRequest(transferRequests, {
  policy: transferRequestPolicy,
  tags: tenant.tags,
  reviewedBy: ['review_destination', 'review_organization'],
  body: reviewBody('TransferReview', {}),
  chapterColumns: ['chapter_id', 'to_chapter_id'],
  async review(actor, id, decision) {
    const request = await lockForEdit(TransferRequest, id);
    const tier = await authorizeTransferReview(actor, {
      chapterId: request.to_chapter_id,
      requireDecidable: () => requireDecidable(request, actor.userId, decision.version),
      findTier: () => findTransferTier(request),
      // No one reviews their own transfer, even if another person requested it.
      isAboutActor: actor.membershipIds.includes(request.membership_id),
    });
    await reviewTransferRequest(request, tier, actor.userId, decision);
    return request.status;
  },
});

export const transferRequestRoutes = [
  get(
    OF_MEMBERSHIP,
    {
      ...tenant,
      summary: 'List the transfer requests of a membership',
      operationId: 'listMembershipTransferRequests',
      rule: by(transferRequestPolicy, 'read'),
      params: RowParams,
      query: requestFilters(TransferRequest),
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
      body: createBody(TransferRequest),
      response: TransferRequestJson,
      status: 201,
      errors: [requestErrors.request_open, identityErrors.invitation_open, ...transferErrors],
    },
    async ({ actor, params, body }) => {
      authorize(actor, transferRequestPolicy, 'file', requireFound(await findMembershipSubject(params.id)));
      const id = await fileTransferRequest(params.id, actor.userId, toColumns(TransferRequest, body));
      return readRow(TransferRequest, id);
    },
  ),

  ...routes('/api/organizations/:organization_id/transfer-requests', [
    requests.list({
      description:
        'Admins of the organization see all requests, others those from and to chapters of their region or their own chapter.',
    }),
    requests.reviewSeveral(),
    requests.read(),
    requests.review({
      description:
        'The final approval makes the transfer, or schedules it for its day, and is refused for the same reasons as a transfer; the ' +
        'request then stays pending. If the same person decides in both steps, `version` is required.',
      errors: [
        organizationsErrors.later_change_exists,
        organizationsErrors.change_scheduled,
        identityErrors.invitation_open,
        refuse.stale_version,
        ...transferErrors,
      ],
    }),
    requests.withdraw(),
  ]),
];
