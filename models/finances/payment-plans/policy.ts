/** Checks whether a requested plan is within an organization's limits, without database access. */
import type { DuesSettings } from '../dues-settings/duesSettings.js';
import { daysBetween, type Installment } from './schedule.js';

export const POLICY_REASONS = ['too_many_installments', 'too_long', 'first_payment_too_small'] as const;
export type PolicyReason = (typeof POLICY_REASONS)[number];

/**
 * The organization's limits at the time of a request. They are stored with the request, so that a later change of the
 * limits neither starts nor ends its freeze.
 */
export type PlanPolicy = Pick<
  DuesSettings,
  'plan_max_installments' | 'plan_max_duration_days' | 'plan_min_first_payment_cents'
>;

export const toPolicy = (settings: DuesSettings): PlanPolicy => ({
  plan_max_installments: settings.plan_max_installments,
  plan_max_duration_days: settings.plan_max_duration_days,
  plan_min_first_payment_cents: settings.plan_min_first_payment_cents,
});

/**
 * Returns the limits that a schedule exceeds; empty when it is in policy.
 * @param today date of the request
 * @param firstCents the first payment to check, where it differs from the schedule's
 */
export function findExceededLimits(
  schedule: readonly Installment[],
  today: string,
  policy: PlanPolicy,
  firstCents = (schedule[0] as Installment).amount_cents,
): PolicyReason[] {
  const last = schedule.at(-1) as Installment;
  const exceeded: Record<PolicyReason, boolean> = {
    too_many_installments: schedule.length > policy.plan_max_installments,
    too_long: daysBetween(today, last.due_date) > policy.plan_max_duration_days,
    first_payment_too_small: firstCents < policy.plan_min_first_payment_cents,
  };
  return POLICY_REASONS.filter((reason) => exceeded[reason]);
}
