import { lockRow } from '../../../models/database/model/change.js';
import { readPage, readRow } from '../../../models/database/model/read.js';
import { refuse } from '../../../models/errors.js';
import { financesErrors } from '../../../models/finances/errors.js';
import { reviewRequest, withdrawRequest } from '../../../models/finances/refunds/decideOnRequest.js';
import { RefundRequest } from '../../../models/finances/refunds/RefundRequest.js';
import { requestErrors } from '../../../models/organizations/requests/errors.js';
import type { Actor } from '../../../models/identity/Actor.js';
import { pageOf, pageRequest, presentPage } from '../../http/pagination.js';
import { OrganizationParams, OrganizationRowParams } from '../../http/params.js';
import { authorize, by, may } from '../../http/policy.js';
import { get, post, routes } from '../../http/routes.js';
import { finances } from '../fields.js';
import { readsAmountsOf } from '../amounts.js';
import { refundRequestPolicy } from './policy.js';
import { presentRequest } from './present.js';
import { RefundRequestFilters, RefundRequestJson, RefundRequestReview } from './schema.js';

const { own_request, request_closed } = requestErrors;
const { invoice_void, nothing_to_refund, refund_exceeds_refundable } = financesErrors;

const presenter = async (actor: Actor) => {
  const hidden = !(await readsAmountsOf(actor, actor.isNationalAdmin ? null : actor.officerChapterIds));
  return (row: Parameters<typeof presentRequest>[0]) => presentRequest(row, { hidden });
};

/** A request within reach; out of reach is the same as not there. */
async function read(actor: Actor, id: string) {
  const row = await readRow(RefundRequest, id);
  if (!may(actor, refundRequestPolicy, 'read', { user_id: row.requested_by })) throw refuse.not_found();
  return (await presenter(actor))(row);
}

export const refundRequestRoutes = routes('/api/organizations/:organization_id/refund-requests', [
  get(
    '/',
    {
      ...finances,
      summary: 'Refunds that officers ask for',
      description: 'All for administrators of the organization, else those that you have asked for.',
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
      summary: 'A refund that an officer asks for',
      rule: by(refundRequestPolicy, 'read'),
      params: OrganizationRowParams,
      response: RefundRequestJson,
    },
    ({ actor, params }) => read(actor, params.id),
  ),

  post(
    '/:id/review/',
    {
      ...finances,
      summary: 'Decide whether money goes back',
      description: 'Approved, it is given back as by your own hand: what would refuse that refuses the approval.',
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
      await read(actor, params.id);
      authorize(actor, refundRequestPolicy, 'review');
      await reviewRequest(await lockRow(RefundRequest, params.id), actor.userId, body);
      return read(actor, params.id);
    },
  ),

  post(
    '/:id/withdraw/',
    {
      ...finances,
      summary: 'Take back your request for a refund',
      operationId: 'withdrawRefundRequest',
      rule: by(refundRequestPolicy, 'withdraw'),
      params: OrganizationRowParams,
      response: RefundRequestJson,
      errors: [request_closed],
    },
    async ({ actor, params }) => {
      const { requested_by } = await read(actor, params.id);
      authorize(actor, refundRequestPolicy, 'withdraw', { user_id: requested_by });
      await withdrawRequest(await lockRow(RefundRequest, params.id));
      return read(actor, params.id);
    },
  ),
]);
