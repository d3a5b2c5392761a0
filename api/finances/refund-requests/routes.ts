import { lockForEdit } from '../../../models/database/model/change.js';
import { readPage, readRow } from '../../../models/database/model/read.js';
import { refuse } from '../../../models/errors.js';
import { financesErrors } from '../../../models/finances/errors.js';
import { reviewRefundRequest, withdrawRefundRequest } from '../../../models/finances/refunds/decideOnRequest.js';
import { RefundRequest } from '../../../models/finances/refunds/RefundRequest.js';
import { requestErrors } from '../../../models/organizations/requests/errors.js';
import type { Actor } from '../../../models/identity/Actor.js';
import { pageOf, pageRequest, presentPage } from '../../http/pagination.js';
import { OrganizationParams, OrganizationRowParams } from '../../http/params.js';
import { anyOfficer, authorize, by, may, nationalAdmin, policy, self } from '../../http/policy.js';
import { get, post, routes } from '../../http/routes.js';
import { finances } from '../fields.js';
import { readsAmountsOf } from '../amounts.js';
import { presentRequest } from './present.js';
import { RefundRequestFilters, RefundRequestJson, RefundRequestReview } from './schema.js';

/** Officers only list the requests that they have filed. */
export const refundRequestPolicy = policy('refund request', {
  list: [nationalAdmin, anyOfficer],
  read: [nationalAdmin, self],
  withdraw: [self],
  review: [nationalAdmin],
});

const { own_request, request_closed } = requestErrors;
const { invoice_void, nothing_to_refund, refund_exceeds_refundable } = financesErrors;

const presenter = async (actor: Actor) => {
  const hidden = !(await readsAmountsOf(actor, actor.isNationalAdmin ? null : actor.officerChapterIds));
  return (row: Parameters<typeof presentRequest>[0]) => presentRequest(row, { hidden });
};

/** Reads a request that the actor may read; any other is reported as missing. @throws Refusal not_found */
async function readVisibleRequest(actor: Actor, id: string) {
  const row = await readRow(RefundRequest, id);
  if (!may(actor, refundRequestPolicy, 'read', { user_id: row.requested_by })) throw refuse.not_found();
  return (await presenter(actor))(row);
}

export const refundRequestRoutes = routes('/api/organizations/:organization_id/refund-requests', [
  get(
    '/',
    {
      ...finances,
      summary: 'Refund requests of officers',
      description: 'Administrators of the organization see all requests; officers see those that they have filed.',
      rule: by(refundRequestPolicy, 'list'),
      params: OrganizationParams,
      query: RefundRequestFilters,
      response: pageOf(RefundRequestJson),
    },
    async ({ actor, query, request }) => {
      authorize(actor, refundRequestPolicy, 'list');
      const all = may(actor, refundRequestPolicy, 'review');
      const page = await readPage(RefundRequest, {
        where: { status: query.status, requested_by: all ? undefined : actor.userId },
        orderBy: query.ordering,
        ...pageRequest(query),
      });
      return presentPage(page, query, request, await presenter(actor));
    },
  ),

  get(
    '/:id/',
    {
      ...finances,
      summary: 'A refund request of an officer',
      rule: by(refundRequestPolicy, 'read'),
      params: OrganizationRowParams,
      response: RefundRequestJson,
    },
    ({ actor, params }) => readVisibleRequest(actor, params.id),
  ),

  post(
    '/:id/review/',
    {
      ...finances,
      summary: 'Decide a refund request',
      description: 'Approval refunds as if you had refunded it yourself; the same conditions apply.',
      operationId: 'reviewRefundRequest',
      rule: by(refundRequestPolicy, 'review'),
      params: OrganizationRowParams,
      body: RefundRequestReview,
      response: RefundRequestJson,
      errors: [
        own_request,
        request_closed,
        refuse.stale_version,
        invoice_void,
        nothing_to_refund,
        refund_exceeds_refundable,
      ],
    },
    async ({ actor, params, body }) => {
      await readVisibleRequest(actor, params.id);
      authorize(actor, refundRequestPolicy, 'review');
      await reviewRefundRequest(await lockForEdit(RefundRequest, params.id), actor.userId, body);
      return readVisibleRequest(actor, params.id);
    },
  ),

  post(
    '/:id/withdraw/',
    {
      ...finances,
      summary: 'Withdraw your refund request',
      operationId: 'withdrawRefundRequest',
      rule: by(refundRequestPolicy, 'withdraw'),
      params: OrganizationRowParams,
      response: RefundRequestJson,
      errors: [request_closed],
    },
    async ({ actor, params }) => {
      const { requested_by } = await readVisibleRequest(actor, params.id);
      authorize(actor, refundRequestPolicy, 'withdraw', { user_id: requested_by });
      await withdrawRefundRequest(await lockForEdit(RefundRequest, params.id));
      return readVisibleRequest(actor, params.id);
    },
  ),
]);
