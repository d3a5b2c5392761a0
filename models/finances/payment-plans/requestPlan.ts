import { planFreeze } from '../../../workflows/contracts/index.js';
import { createRow, lockExclusive } from '../../database/model/change.js';
import { loadIfExists } from '../../database/model/read.js';
import { enqueue } from '../../database/outbox.js';
import { requireFound, invalid } from '../../errors.js';
import { LAST_DAY } from '../../fields.js';
import { notify } from '../../notifications/notify.js';
import { type DuesSettings, readDuesSettings } from '../dues-settings/duesSettings.js';
import { ChapterInvoice } from '../invoices/ChapterInvoice.js';
import { notifications } from '../notifications.js';
import { checkSchedule, readLocalDay } from './checkSchedule.js';
import { approvePlan } from './decideOnPlan.js';
import { planErrors } from './errors.js';
import { auditPlanRequest, PaymentPlanRequest } from './PaymentPlanRequest.js';
import { PaymentPlan } from './PaymentPlan.js';
import { findExceededLimits, type PlanPolicy, toPolicy } from './policy.js';
import { datesFrom, daysBetween, type Installment, type Interval, smallestFirstCents, priceDates } from './schedule.js';

/** The role in which a person makes a request. */
export type Requester = 'member' | 'officer' | 'admin';

/** Installments with amounts that the requester chose, or dates for which the server computes the amounts. */
export type RequestedSchedule =
  | { installments: Installment[] }
  | { installment_count: number; first_due_date: string; interval: Interval };

export interface RequestedPlan {
  invoice: string;
  justification: string;
  schedule: RequestedSchedule;
  /**
   * Whether the requester may not see amounts. In that case nothing that they choose is compared with an amount,
   * because the response would reveal it.
   */
  isBlind?: boolean;
}

const ALLOWED_REQUESTERS: Record<DuesSettings['plan_requesters'], readonly Requester[]> = {
  members: ['member', 'admin'],
  officers: ['officer', 'admin'],
  members_and_officers: ['member', 'officer', 'admin'],
};

/**
 * Requests to pay an invoice in installments. The request is checked against the current limits, and the result is
 * stored with it. A request within the limits stops reminders until two days after the due date; if the organization's
 * settings say so, it is approved at once.
 * @returns the request's id
 * @throws Refusal not_found, validation_error, payment_plans_disabled, plan_requester_not_allowed, plan_request_open,
 * plan_already_active
 */
export async function requestPlan(
  { invoice: invoiceId, justification, schedule, isBlind = false }: RequestedPlan,
  role: Requester,
  userId: string,
): Promise<string> {
  const settings = await readDuesSettings();
  if (!settings.payment_plans_enabled) throw planErrors.payment_plans_disabled();
  if (!ALLOWED_REQUESTERS[settings.plan_requesters].includes(role)) throw planErrors.plan_requester_not_allowed();
  const invoice = requireFound(await lockExclusive(ChapterInvoice, invoiceId));
  const { membership_id, balance_due_cents: balance } = invoice;
  if (!membership_id || !['open', 'overdue', 'partially_paid'].includes(invoice.status) || balance === 0)
    throw invalid('invoice', 'Only an unpaid invoice of a member can have a payment plan.');
  if (await loadIfExists(PaymentPlan, { invoice_id: invoiceId, status: 'active' }))
    throw planErrors.plan_already_active();
  const today = await readLocalDay();
  const policy = toPolicy(settings);
  const firstCents = isBlind ? blindFirstCents(balance, policy) : undefined;
  const installments = toInstallments(schedule, balance, policy.plan_min_first_payment_cents, today);
  const reasons = findExceededLimits(installments, today, policy, firstCents);
  // A freeze lasts until two days after the due date. A request that is filed later gets no freeze.
  const freezes = reasons.length === 0 && daysBetween(invoice.due_date, today) <= 2;
  const request = await createRow(PaymentPlanRequest, {
    invoice_id: invoiceId,
    chapter_id: invoice.chapter_id,
    membership_id,
    requested_by: userId,
    justification,
    schedule: installments,
    invoice_balance_cents: balance,
    is_in_policy: reasons.length === 0,
    policy_reasons: reasons,
    policy,
    freeze_anchor: freezes ? invoice.due_date : null,
  });
  await auditPlanRequest(request, 'created');
  if (settings.auto_approve_within_limits && reasons.length === 0)
    await approvePlan(request, invoice, installments, null);
  else {
    await notify(notifications.plan_requested, [request.id]);
    if (freezes) await enqueue(planFreeze, { requestId: request.id });
  }
  return request.id;
}

/**
 * Returns the first payment with which to check a request whose requester may not see amounts. It does not depend on
 * the number of installments that the requester chose, so that the result reveals nothing.
 * @throws Refusal validation_error for `invoice`
 */
function blindFirstCents(balance: number, { plan_min_first_payment_cents }: PlanPolicy): number {
  const first = smallestFirstCents(balance, plan_min_first_payment_cents);
  if (first === null) throw invalid('invoice', 'The balance is too small for a payment plan.');
  return first;
}

/** Converts a requested schedule to installments. @throws Refusal validation_error */
function toInstallments(
  requested: RequestedSchedule,
  balance: number,
  minFirstCents: number,
  today: string,
): Installment[] {
  if ('installments' in requested) {
    checkSchedule(requested.installments, balance, today);
    return requested.installments;
  }
  const { installment_count, first_due_date, interval } = requested;
  if (first_due_date < today) throw invalid('first_due_date', 'This date is in the past.');
  const dates = datesFrom(first_due_date, installment_count, interval);
  if ((dates.at(-1) as string) > LAST_DAY)
    throw invalid('installment_count', `The last installment must be due by ${LAST_DAY}.`);
  const installments = priceDates(dates, balance, minFirstCents);
  if (!installments)
    throw invalid('installment_count', 'The balance is too small for this many installments. Choose fewer.');
  return installments;
}
