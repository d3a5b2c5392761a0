import { found, refuse } from '../../../models/errors.js';
import { reviewPlan } from '../../../models/finances/payment-plans/decideOnPlan.js';
import { planErrors } from '../../../models/finances/payment-plans/errors.js';
import { listPlanRequests, readPlanRequest } from '../../../models/finances/payment-plans/listPlanRequests.js';
import { requestPlan } from '../../../models/finances/payment-plans/requestPlan.js';
import { requestErrors } from '../../../models/organizations/requests/errors.js';
import { pageOf, pageRequest, presentPage } from '../../http/pagination.js';
import { OrganizationParams, OrganizationRowParams } from '../../http/params.js';
import { authorize, by, chaptersWithin } from '../../http/policy.js';
import { get, post, routes } from '../../http/routes.js';
import { finances } from '../fields.js';
import { reachInvoice } from '../invoices/reach.js';
import { planRequestPolicy } from './policy.js';
import { reach, requireReviewer } from './reach.js';
import {
  askedPlan,
  PlanQueueFilters,
  PlanRequestCreate,
  PlanRequestJson,
  PlanReviewBody,
  PlanReviewedJson,
} from './schema.js';

export const asking = [
  planErrors.payment_plans_disabled,
  planErrors.plan_requester_not_allowed,
  planErrors.plan_request_open,
  planErrors.plan_already_active,
];

export const planRequestRoutes = routes('/api/hq/dues/:organization_id/plan-requests', [
  get(
    '/',
    {
      ...finances,
      summary: 'Who asks for instalments; those first whose freeze ends first',
      rule: by(planRequestPolicy, 'review'),
      params: OrganizationParams,
      query: PlanQueueFilters,
      response: pageOf(PlanRequestJson),
    },
    async ({ actor, query, request }) => {
      const within = chaptersWithin(actor, planRequestPolicy, 'review');
      await requireReviewer(actor);
      const { chapter, in_policy: inPolicy, is_frozen: isFrozen, status, ordering: orderBy } = query;
      const chapters = chapter === undefined ? within : [chapter].filter((id) => within?.includes(id) ?? true);
      const page = await listPlanRequests({ status, chapters, inPolicy, isFrozen, orderBy, ...pageRequest(query) });
      return presentPage(page, query, request, (row) => row);
    },
  ),

  post(
    '/',
    {
      ...finances,
      summary: 'Ask for instalments for a member, as an administrator',
      operationId: 'createPlanRequestAsAdmin',
      rule: by(planRequestPolicy, 'ask_for_anybody'),
      params: OrganizationParams,
      body: PlanRequestCreate,
      response: PlanRequestJson,
      status: 201,
      errors: asking,
    },
    async ({ actor, body }) => {
      authorize(actor, planRequestPolicy, 'ask_for_anybody');
      await reachInvoice(actor, body.invoice);
      return found(await readPlanRequest(await requestPlan(askedPlan(body), 'admin', actor.userId)));
    },
  ),

  get(
    '/:id/',
    {
      ...finances,
      summary: 'A request for instalments',
      rule: by(planRequestPolicy, 'review'),
      params: OrganizationRowParams,
      response: PlanRequestJson,
    },
    ({ actor, params }) => reach(actor, params.id),
  ),

  post(
    '/:id/review/',
    {
      ...finances,
      summary: 'Grant instalments, or refuse them',
      description: 'Where something else is due by now, the same days are priced anew unless you send a schedule.',
      operationId: 'reviewPlanRequest',
      rule: by(planRequestPolicy, 'review'),
      params: OrganizationRowParams,
      body: PlanReviewBody,
      response: PlanReviewedJson,
      errors: [requestErrors.own_request, requestErrors.request_closed, refuse.stale_version, planErrors.schedule_past],
    },
    async ({ actor, params, body }) => {
      await reach(actor, params.id);
      const { repriced } = await reviewPlan(params.id, actor.userId, body);
      return { ...(await reach(actor, params.id)), repriced };
    },
  ),
]);
