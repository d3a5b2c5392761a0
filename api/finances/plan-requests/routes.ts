import { requireFound, refuse } from '../../../models/errors.js';
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
import { readVisibleInvoice } from '../invoices/readVisibleInvoice.js';
import { planRequestPolicy } from './policy.js';
import { readForReview, requireReviewer } from './planRequestAccess.js';
import {
  toPlanRequest,
  PlanQueueFilters,
  PlanRequestCreate,
  PlanRequestJson,
  PlanReviewBody,
  PlanReviewedJson,
} from './schema.js';

export const filingErrors = [
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
      summary: 'Requests for installment plans; those whose freeze ends first come first',
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
      summary: 'File a plan request for a member, as an administrator',
      operationId: 'createPlanRequestAsAdmin',
      rule: by(planRequestPolicy, 'ask_for_anybody'),
      params: OrganizationParams,
      body: PlanRequestCreate,
      response: PlanRequestJson,
      status: 201,
      errors: filingErrors,
    },
    async ({ actor, body }) => {
      authorize(actor, planRequestPolicy, 'ask_for_anybody');
      await readVisibleInvoice(actor, body.invoice);
      return requireFound(await readPlanRequest(await requestPlan(toPlanRequest(body), 'admin', actor.userId)));
    },
  ),

  get(
    '/:id/',
    {
      ...finances,
      summary: 'A request for an installment plan',
      rule: by(planRequestPolicy, 'review'),
      params: OrganizationRowParams,
      response: PlanRequestJson,
    },
    ({ actor, params }) => readForReview(actor, params.id),
  ),

  post(
    '/:id/review/',
    {
      ...finances,
      summary: 'Approve or reject a plan request',
      description: 'If the amount due has changed, the same days are priced again unless you send a schedule.',
      operationId: 'reviewPlanRequest',
      rule: by(planRequestPolicy, 'review'),
      params: OrganizationRowParams,
      body: PlanReviewBody,
      response: PlanReviewedJson,
      errors: [requestErrors.own_request, requestErrors.request_closed, refuse.stale_version, planErrors.schedule_past],
    },
    async ({ actor, params, body }) => {
      await readForReview(actor, params.id);
      const { repriced } = await reviewPlan(params.id, actor.userId, body);
      return { ...(await readForReview(actor, params.id)), repriced };
    },
  ),
]);
