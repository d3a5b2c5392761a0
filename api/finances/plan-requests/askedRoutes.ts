/** What officers ask for their members, and members for themselves. */
import { found, invalid, refuse } from '../../../models/errors.js';
import { officersSeeAmounts } from '../../../models/finances/dues-settings/officersSeeAmounts.js';
import { withdrawPlan } from '../../../models/finances/payment-plans/decideOnPlan.js';
import { listPlanRequests, readPlanRequest } from '../../../models/finances/payment-plans/listPlanRequests.js';
import { requestPlan } from '../../../models/finances/payment-plans/requestPlan.js';
import type { Actor } from '../../../models/identity/Actor.js';
import { requestErrors } from '../../../models/organizations/requests/errors.js';
import { pageOf, pageRequest, presentPage } from '../../http/pagination.js';
import { RowParams } from '../../http/params.js';
import { authorize, by, may } from '../../http/policy.js';
import { get, post, routes } from '../../http/routes.js';
import { finances } from '../fields.js';
import { reachInvoice } from '../invoices/reach.js';
import { hidesAmounts } from '../remittances/shares.js';
import { planRequestPolicy } from './policy.js';
import { requestWithoutAmounts } from './present.js';
import { asking } from './routes.js';
import { askedPlan, OwnPlanRequestFilters, PlanRequestCreate, PlanRequestJson } from './schema.js';

const ROWS_HIDDEN = 'Amounts are not shown to officers here: send how many, from when and how often.';

/** One's own, as the member or as whoever asked; out of reach is the same as not there. */
async function reachOwn(actor: Actor, id: string) {
  const row = found(await readPlanRequest(id));
  const { member, requester } = row;
  if (!may(actor, planRequestPolicy, 'own', { membership_id: member.membership, user_id: requester.id }))
    throw refuse.not_found();
  const isMember = actor.membershipIds.includes(member.membership);
  const hidden = !isMember && hidesAmounts(actor, await officersSeeAmounts());
  return hidden ? requestWithoutAmounts(row) : row;
}

export const officerPlanRequestRoutes = routes('/api/billing/plan-requests', [
  get(
    '/',
    {
      ...finances,
      summary: 'Instalments that you have asked for, for members',
      operationId: 'listPlanRequestsAsked',
      rule: by(planRequestPolicy, 'list_asked'),
      query: OwnPlanRequestFilters,
      response: pageOf(PlanRequestJson),
    },
    async ({ actor, query, request }) => {
      authorize(actor, planRequestPolicy, 'list_asked');
      const hidden = hidesAmounts(actor, await officersSeeAmounts());
      const { status, ordering: orderBy } = query;
      const page = await listPlanRequests({ status, requestedBy: actor.userId, orderBy, ...pageRequest(query) });
      return presentPage(page, query, request, (row) =>
        hidden && !actor.membershipIds.includes(row.member.membership) ? requestWithoutAmounts(row) : row,
      );
    },
  ),

  post(
    '/',
    {
      ...finances,
      summary: 'Ask for instalments for a member of your chapter',
      operationId: 'createPlanRequestForMember',
      rule: by(planRequestPolicy, 'ask_for_member'),
      body: PlanRequestCreate,
      response: PlanRequestJson,
      status: 201,
      errors: asking,
    },
    async ({ actor, body }) => {
      const { chapter } = await reachInvoice(actor, body.invoice);
      authorize(actor, planRequestPolicy, 'ask_for_member', { chapter_id: chapter });
      const hidden = hidesAmounts(actor, await officersSeeAmounts());
      if (hidden && body.installments) throw invalid('installments', ROWS_HIDDEN);
      const row = found(
        await readPlanRequest(await requestPlan({ ...askedPlan(body), isBlind: hidden }, 'officer', actor.userId)),
      );
      return hidden ? requestWithoutAmounts(row) : row;
    },
  ),
]);

export const ownPlanRequestRoutes = routes('/api/billing/me/plan-requests', [
  get(
    '/',
    {
      ...finances,
      summary: 'Instalments that you are to pay by, as they were asked for',
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
      summary: 'Ask to pay an invoice of yours by instalments',
      operationId: 'createOwnPlanRequest',
      rule: by(planRequestPolicy, 'own'),
      body: PlanRequestCreate,
      response: PlanRequestJson,
      status: 201,
      errors: asking,
    },
    async ({ actor, body }) => {
      const { membership } = await reachInvoice(actor, body.invoice);
      if (!may(actor, planRequestPolicy, 'own', { membership_id: membership })) throw refuse.not_found();
      return found(await readPlanRequest(await requestPlan(askedPlan(body), 'member', actor.userId)));
    },
  ),

  get(
    '/:id/',
    {
      ...finances,
      summary: 'Instalments that you have asked for, or are to pay by',
      operationId: 'getOwnPlanRequest',
      rule: by(planRequestPolicy, 'own'),
      params: RowParams,
      response: PlanRequestJson,
    },
    ({ actor, params }) => reachOwn(actor, params.id),
  ),

  post(
    '/:id/withdraw/',
    {
      ...finances,
      summary: 'Take back that you want instalments',
      operationId: 'withdrawOwnPlanRequest',
      rule: by(planRequestPolicy, 'own'),
      params: RowParams,
      response: PlanRequestJson,
      errors: [requestErrors.request_closed],
    },
    async ({ actor, params }) => {
      await reachOwn(actor, params.id);
      await withdrawPlan(params.id);
      return reachOwn(actor, params.id);
    },
  ),
]);
