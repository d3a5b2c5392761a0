import { z } from 'zod';
import { requireFound, invalid, refuse } from '../../../models/errors.js';
import { flag, recordId, text } from '../../../models/fields.js';
import { financesErrors } from '../../../models/finances/errors.js';
import {
  cancelPlan,
  reconcileInstallment,
  unreconcileInstallment,
} from '../../../models/finances/payment-plans/changePlan.js';
import { planErrors } from '../../../models/finances/payment-plans/errors.js';
import { listPlans, readPlan } from '../../../models/finances/payment-plans/listPlans.js';
import { PLAN_STATUSES } from '../../../models/finances/payment-plans/PaymentPlan.js';
import type { Actor } from '../../../models/identity/Actor.js';
import { ordering, pageOf, pageQuery, pageRequest, presentPage } from '../../http/pagination.js';
import { OrganizationParams, OrganizationRowParams } from '../../http/params.js';
import {
  authorize,
  by,
  chapterManagers,
  may,
  nationalAdmin,
  officerOfChapter,
  policy,
  self,
} from '../../http/policy.js';
import { get, post, routes } from '../../http/routes.js';
import { finances } from '../fields.js';
import { readsAmounts, withoutAmounts } from '../amounts.js';
import { PlanJson } from '../plan-requests/schema.js';

/** Officers reconcile installments of their chapter's plans, but not of their own. */
export const paymentPlanPolicy = policy('payment plan', {
  list: [nationalAdmin],
  cancel: [nationalAdmin],
  reconcile: [nationalAdmin, officerOfChapter],
  read: [...chapterManagers, self],
  own: [self],
});

const PlanFilters = z.object({
  ...pageQuery,
  status: z.enum(PLAN_STATUSES).optional(),
  late: flag.optional(),
  ordering: ordering({ created_at: 'p.id' }, '-created_at'),
});
const OwnPlanFilters = PlanFilters.omit({ late: true });
const InstallmentParams = OrganizationRowParams.extend({
  sequence: z
    .string()
    .regex(/^[1-9]\d?$/)
    .transform(Number)
    .meta({ override: { type: 'integer', minimum: 1, maximum: 60 } }),
});

/**
 * Error for an officer who sees no amounts and names a payment: the response would disclose whether the payment or the
 * installment is larger.
 */
const PAYMENT_HIDDEN = 'Officers of this organization do not see amounts. Leave this out.';

/**
 * Reads a plan that the actor may read; any other is reported as missing. Officers see amounts if their organization
 * allows it. @throws Refusal not_found
 */
async function readVisiblePlan(actor: Actor, id: string) {
  const { chapter, ...plan } = requireFound(await readPlan(id));
  const subject = { chapter_id: chapter, membership_id: plan.member };
  if (!may(actor, paymentPlanPolicy, 'read', subject)) throw refuse.not_found();
  const own = actor.membershipIds.includes(plan.member);
  const hidden = !(await readsAmounts(actor, subject));
  return { subject, own, hidden, plan: hidden ? withoutAmounts(plan) : plan };
}

/** Requires that the actor may reconcile installments of the plan. @throws Refusal not_found, forbidden, own_invoice */
async function requireReconcilable(actor: Actor, id: string): Promise<{ hidden: boolean }> {
  const { subject, own, hidden } = await readVisiblePlan(actor, id);
  authorize(actor, paymentPlanPolicy, 'reconcile', subject);
  if (own) throw financesErrors.own_invoice();
  return { hidden };
}

export const paymentPlanRoutes = routes('/api/hq/dues/:organization_id/payment-plans', [
  get(
    '/',
    {
      ...finances,
      summary: 'Payment plans',
      rule: by(paymentPlanPolicy, 'list'),
      params: OrganizationParams,
      query: PlanFilters,
      response: pageOf(PlanJson),
    },
    async ({ actor, query, request }) => {
      authorize(actor, paymentPlanPolicy, 'list');
      const { status, late: isLate, ordering: orderBy } = query;
      const page = await listPlans({ status, isLate, orderBy, ...pageRequest(query) });
      return presentPage(page, query, request, (row) => row);
    },
  ),

  get(
    '/:id/',
    {
      ...finances,
      summary: 'A payment plan',
      rule: by(paymentPlanPolicy, 'read'),
      params: OrganizationRowParams,
      response: PlanJson,
    },
    async ({ actor, params }) => (await readVisiblePlan(actor, params.id)).plan,
  ),

  post(
    '/:id/cancel/',
    {
      ...finances,
      summary: 'Cancel a payment plan; the invoice gets its previous due date back',
      rule: by(paymentPlanPolicy, 'cancel'),
      params: OrganizationRowParams,
      body: z.strictObject({ reason: text(500).min(3) }).meta({ id: 'PaymentPlanCancel' }),
      response: PlanJson,
      errors: [planErrors.plan_not_active],
    },
    async ({ actor, params, body }) => {
      authorize(actor, paymentPlanPolicy, 'cancel');
      await cancelPlan(params.id, body.reason, actor.userId);
      return (await readVisiblePlan(actor, params.id)).plan;
    },
  ),

  post(
    '/:id/installments/:sequence/reconcile/',
    {
      ...finances,
      summary: 'Reconcile an installment of a plan',
      description: 'This changes no balance. Officers may do it for members of their chapter, but not for themselves.',
      operationId: 'reconcileInstallment',
      rule: by(paymentPlanPolicy, 'reconcile'),
      params: InstallmentParams,
      body: z
        .strictObject({
          payment: recordId.optional().meta({
            description:
              'A payment of the invoice; the installments that name it must not exceed it. Officers who do not see amounts leave this out.',
          }),
          note: text(500).optional(),
        })
        .meta({ id: 'InstallmentReconcile' }),
      response: PlanJson,
      errors: [planErrors.plan_not_active, planErrors.installment_reconciled, financesErrors.own_invoice],
    },
    async ({ actor, params: { id, sequence }, body }) => {
      const { hidden } = await requireReconcilable(actor, id);
      if (hidden && body.payment) throw invalid('payment', PAYMENT_HIDDEN);
      await reconcileInstallment(id, sequence, body, actor.userId);
      return (await readVisiblePlan(actor, id)).plan;
    },
  ),

  post(
    '/:id/installments/:sequence/unreconcile/',
    {
      ...finances,
      summary: 'Undo the reconciliation of an installment',
      operationId: 'unreconcileInstallment',
      rule: by(paymentPlanPolicy, 'reconcile'),
      params: InstallmentParams,
      body: z.strictObject({ reason: text(500).min(3) }).meta({ id: 'InstallmentUnreconcile' }),
      response: PlanJson,
      errors: [planErrors.plan_not_active, planErrors.installment_not_reconciled, financesErrors.own_invoice],
    },
    async ({ actor, params: { id, sequence }, body }) => {
      await requireReconcilable(actor, id);
      await unreconcileInstallment(id, sequence, body.reason);
      return (await readVisiblePlan(actor, id)).plan;
    },
  ),
]);

export const ownPaymentPlanRoutes = routes('/api/billing/me/payment-plans', [
  get(
    '/',
    {
      ...finances,
      summary: 'Your payment plans',
      operationId: 'listOwnPaymentPlans',
      rule: by(paymentPlanPolicy, 'own'),
      query: OwnPlanFilters,
      response: pageOf(PlanJson),
    },
    async ({ actor, query, request }) => {
      authorize(actor, paymentPlanPolicy, 'own', { user_id: actor.userId });
      const { status, ordering: orderBy } = query;
      const page = await listPlans({ status, memberships: actor.membershipIds, orderBy, ...pageRequest(query) });
      return presentPage(page, query, request, (row) => row);
    },
  ),
]);
