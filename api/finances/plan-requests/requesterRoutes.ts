/** Plan requests that officers file for their members, and members for themselves. */
import { requireFound, invalid, refuse } from '../../../models/errors.js';
import { officersSeeAmounts } from '../../../models/finances/dues-settings/officersSeeAmounts.js';
import { withdrawPlan } from '../../../models/finances/payment-plans/decideOnPlan.js';
import {
  listPlanRequests,
  readPlanRequest,
  type ShownPlanRequest,
} from '../../../models/finances/payment-plans/listPlanRequests.js';
import { requestPlan } from '../../../models/finances/payment-plans/requestPlan.js';
import type { Actor } from '../../../models/identity/Actor.js';
import { requestErrors } from '../../../models/organizations/requests/errors.js';
import { pageOf, pageRequest, presentPage } from '../../http/pagination.js';
import { RowParams } from '../../http/params.js';
import { authorize, by, may } from '../../http/policy.js';
import { get, post, routes } from '../../http/routes.js';
import { finances } from '../fields.js';
import { readVisibleInvoice } from '../invoices/readVisibleInvoice.js';
import { readsAmounts, seesAmounts, withoutAmounts } from '../amounts.js';
import { planRequestPolicy } from './policy.js';
import { readOwnRequest } from './planRequestAccess.js';
import { filingErrors } from './routes.js';
import { toPlanRequest, OwnPlanRequestFilters, PlanRequestCreate, PlanRequestJson } from './schema.js';

const INSTALLMENTS_HIDDEN =
  'Officers of this organization do not see amounts. Send the number of installments, the first day and the interval instead.';

const readOwnPresented = async (actor: Actor, id: string) =>
  presentPlanRequest(actor, await readOwnRequest(actor, id), await officersSeeAmounts());

/** Hides amounts where the reader sees none. The officer who filed the request still reads their own justification. */
function presentPlanRequest(actor: Actor, row: ShownPlanRequest, officersSee: boolean): ShownPlanRequest {
  const { chapter, member, requester, justification } = row;
  if (seesAmounts(actor, { chapter_id: chapter, membership_id: member.membership }, officersSee)) return row;
  return withoutAmounts(row, requester.id === actor.userId ? { justification } : {});
}

export const officerPlanRequestRoutes = routes('/api/billing/plan-requests', [
  get(
    '/',
    {
      ...finances,
      summary: 'List plan requests filed for members of your chapters',
      operationId: 'listPlanRequestsAsked',
      rule: by(planRequestPolicy, 'list_asked'),
      query: OwnPlanRequestFilters,
      response: pageOf(PlanRequestJson),
    },
    async ({ actor, query, request }) => {
      authorize(actor, planRequestPolicy, 'list_asked');
      const officersSee = await officersSeeAmounts();
      const { status, ordering: orderBy } = query;
      const page = await listPlanRequests({
        status,
        chapters: actor.officerChapterIds,
        isForMember: true,
        orderBy,
        ...pageRequest(query),
      });
      return presentPage(page, query, request, (row) => presentPlanRequest(actor, row, officersSee));
    },
  ),

  post(
    '/',
    {
      ...finances,
      summary: 'File a plan request for a member of your chapter',
      operationId: 'createPlanRequestForMember',
      rule: by(planRequestPolicy, 'ask_for_member'),
      body: PlanRequestCreate,
      response: PlanRequestJson,
      status: 201,
      errors: filingErrors,
    },
    async ({ actor, body }) => {
      const { chapter } = await readVisibleInvoice(actor, body.invoice);
      authorize(actor, planRequestPolicy, 'ask_for_member', { chapter_id: chapter });
      const isBlind = !(await readsAmounts(actor, { chapter_id: chapter }));
      if (isBlind && body.installments) throw invalid('installments', INSTALLMENTS_HIDDEN);
      const id = await requestPlan({ ...toPlanRequest(body), isBlind }, 'officer', actor.userId);
      return presentPlanRequest(actor, requireFound(await readPlanRequest(id)), !isBlind);
    },
  ),
]);

export const ownPlanRequestRoutes = routes('/api/billing/me/plan-requests', [
  get(
    '/',
    {
      ...finances,
      summary: 'List plan requests for your own invoices',
      operationId: 'listOwnPlanRequests',
      rule: by(planRequestPolicy, 'own'),
      query: OwnPlanRequestFilters,
      response: pageOf(PlanRequestJson),
    },
    async ({ actor, query, request }) => {
      authorize(actor, planRequestPolicy, 'own', { user_id: actor.userId });
      const { status, ordering: orderBy } = query;
      const page = await listPlanRequests({ status, memberships: actor.membershipIds, orderBy, ...pageRequest(query) });
      return presentPage(page, query, request, (row) => row);
    },
  ),

  post(
    '/',
    {
      ...finances,
      summary: 'File a plan request for an invoice of your own',
      operationId: 'createOwnPlanRequest',
      rule: by(planRequestPolicy, 'own'),
      body: PlanRequestCreate,
      response: PlanRequestJson,
      status: 201,
      errors: filingErrors,
    },
    async ({ actor, body }) => {
      const { membership } = await readVisibleInvoice(actor, body.invoice);
      if (!may(actor, planRequestPolicy, 'own', { membership_id: membership })) throw refuse.not_found();
      return requireFound(await readPlanRequest(await requestPlan(toPlanRequest(body), 'member', actor.userId)));
    },
  ),

  get(
    '/:id/',
    {
      ...finances,
      summary: 'Read a plan request of your own, or one filed for a member of your chapter',
      operationId: 'getOwnPlanRequest',
      rule: by(planRequestPolicy, 'own', 'ask_for_member'),
      params: RowParams,
      response: PlanRequestJson,
    },
    ({ actor, params }) => readOwnPresented(actor, params.id),
  ),

  post(
    '/:id/withdraw/',
    {
      ...finances,
      summary: 'Withdraw a plan request',
      operationId: 'withdrawOwnPlanRequest',
      rule: by(planRequestPolicy, 'own', 'ask_for_member'),
      params: RowParams,
      response: PlanRequestJson,
      errors: [requestErrors.request_closed],
    },
    async ({ actor, params }) => {
      await readOwnPresented(actor, params.id);
      await withdrawPlan(params.id);
      return readOwnPresented(actor, params.id);
    },
  ),
]);
