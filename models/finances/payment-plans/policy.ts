/** Whether what is asked for is within an organization's limits. No database. */
import type { DuesSettings } from '../dues-settings/duesSettings.js';
import { daysBetween, type Installment } from './schedule.js';

export const POLICY_REASONS = ['too_many_installments', 'too_long', 'first_payment_too_small'] as const;
export type PolicyReason = (typeof POLICY_REASONS)[number];

/** The limits that a request was judged by, kept with it: a later change neither freezes nor thaws. */
export type PlanPolicy = Pick<
  DuesSettings,
  'plan_max_installments' | 'plan_max_duration_days' | 'plan_min_first_payment_cents'
>;

export const policyOf = (settings: DuesSettings): PlanPolicy => ({
  plan_max_installments: settings.plan_max_installments,
  plan_max_duration_days: settings.plan_max_duration_days,
  plan_min_first_payment_cents: settings.plan_min_first_payment_cents,
});

/**
 * @param today when it is asked for
 * @param firstCents the first payment, where another one counts than that of the schedule
 * @returns what is beyond the limits; none: it is in policy
 */
export function judge(
  schedule: readonly Installment[],
  today: string,
  policy: PlanPolicy,
  firstCents = (schedule[0] as Installment).amount_cents,
): PolicyReason[] {
  const last = schedule.at(-1) as Installment;
  const broken: Record<PolicyReason, boolean> = {
    too_many_installments: schedule.length > policy.plan_max_installments,
    too_long: daysBetween(today, last.due_date) > policy.plan_max_duration_days,
    first_payment_too_small: firstCents < policy.plan_min_first_payment_cents,
  };
  return POLICY_REASONS.filter((reason) => broken[reason]);
}
