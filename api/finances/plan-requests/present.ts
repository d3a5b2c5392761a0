import type { ShownPlan } from '../../../models/finances/payment-plans/listPlans.js';
import type { ShownPlanRequest } from '../../../models/finances/payment-plans/listPlanRequests.js';
import { withoutAmounts } from '../invoices/present.js';

/** A plan for an officer who sees no amounts. */
export const planWithoutAmounts = (plan: ShownPlan): ShownPlan => ({
  ...withoutAmounts(plan),
  installments: plan.installments.map(withoutAmounts),
});

/** The same of a request: neither amounts, nor what follows from them, nor notes, which may name one. */
export const requestWithoutAmounts = (row: ShownPlanRequest): ShownPlanRequest => ({
  ...withoutAmounts(row),
  installments: row.installments.map(withoutAmounts),
  is_in_policy: null,
  policy_reasons: null,
  review_notes: null,
  plan: row.plan && planWithoutAmounts(row.plan),
});
