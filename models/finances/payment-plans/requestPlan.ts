import { planFreeze } from '../../../workflows/contracts/index.js';
import { createRow, holdRow } from '../../database/model/change.js';
import { loadIfThere } from '../../database/model/read.js';
import { enqueue } from '../../database/outbox.js';
import { found, invalid } from '../../errors.js';
import { LAST_DAY } from '../../fields.js';
import { notify } from '../../notifications/notify.js';
import { type DuesSettings, readDuesSettings } from '../dues-settings/duesSettings.js';
import { ChapterInvoice } from '../invoices/ChapterInvoice.js';
import { told } from '../notifications.js';
import { checkRows, localDay } from './checkRows.js';
import { approve } from './decideOnPlan.js';
import { planErrors } from './errors.js';
import { auditPlanRequest, PaymentPlanRequest } from './PaymentPlanRequest.js';
import { PaymentPlan } from './PaymentPlan.js';
import { judge, type PlanPolicy, policyOf } from './policy.js';
import { datesFrom, daysBetween, type Installment, type Interval, leastFirstRow, priceDates } from './schedule.js';

/** As whom somebody asks. */
export type Requester = 'member' | 'officer' | 'admin';

/** Rows of one's own, or days that are priced here. */
export type AskedSchedule =
  | { installments: Installment[] }
  | { installment_count: number; first_due_date: string; interval: Interval };

export interface AskedPlan {
  invoice: string;
  justification: string;
  schedule: AskedSchedule;
  /** Whoever asks sees no amounts: then nothing that they chose is compared with one. */
  isBlind?: boolean;
}

const ASKED_BY: Record<DuesSettings['plan_requesters'], readonly Requester[]> = {
  members: ['member', 'admin'],
  officers: ['officer', 'admin'],
  members_and_officers: ['member', 'officer', 'admin'],
};

/**
 * Asks to pay an invoice by instalments. Whether that is within the limits is judged now and kept; then nobody is dunned for it until
 * two days after its due date, or it is granted at once where the organization says so.
 * @returns the request's id
 * @throws Refusal not_found, validation_error, payment_plans_disabled, plan_requester_not_allowed, plan_request_open, plan_already_active
 */
export async function requestPlan(
  { invoice: invoiceId, justification, schedule, isBlind = false }: AskedPlan,
  as: Requester,
  userId: string,
): Promise<string> {
  const settings = await readDuesSettings();
  if (!settings.payment_plans_enabled) throw planErrors.payment_plans_disabled();
  if (!ASKED_BY[settings.plan_requesters].includes(as)) throw planErrors.plan_requester_not_allowed();
  const invoice = found(await holdRow(ChapterInvoice, invoiceId));
  const { membership_id, balance_due_cents: balance } = invoice;
  if (!membership_id || !['open', 'overdue', 'partially_paid'].includes(invoice.status) || balance === 0)
    throw invalid('invoice', 'Only an invoice of a member that is not paid yet is paid by instalments.');
  if (await loadIfThere(PaymentPlan, { invoice_id: invoiceId, status: 'active' }))
    throw planErrors.plan_already_active();
  const today = await localDay();
  const policy = policyOf(settings);
  const first = isBlind ? blindly(balance, policy) : undefined;
  const rows = scheduled(schedule, balance, policy.plan_min_first_payment_cents, today);
  const reasons = judge(rows, today, policy, first);
  // A request that comes when its window would be over has none.
  const freezes = reasons.length === 0 && daysBetween(invoice.due_date, today) <= 2;
  const request = await createRow(PaymentPlanRequest, {
    invoice_id: invoiceId,
    chapter_id: invoice.chapter_id,
    membership_id,
    requested_by: userId,
    justification,
    schedule: rows,
    invoice_balance_cents: balance,
    is_in_policy: reasons.length === 0,
    policy_reasons: reasons,
    policy,
    freeze_anchor: freezes ? invoice.due_date : null,
  });
  await auditPlanRequest(request, 'created');
  if (settings.auto_approve_within_limits && reasons.length === 0) await approve(request, invoice, rows, null);
  else {
    await notify(told.plan_requested, [request.id]);
    if (freezes) await enqueue(planFreeze, { requestId: request.id });
  }
  return request.id;
}

/** The first payment by which a request is judged, however many rows were chosen. @throws Refusal validation_error with `invoice` */
function blindly(balance: number, { plan_min_first_payment_cents }: PlanPolicy): number {
  const first = leastFirstRow(balance, plan_min_first_payment_cents);
  if (first === null) throw invalid('invoice', 'Too little is due to be paid by instalments.');
  return first;
}

/** What is asked for as rows, whichever way it was said. @throws Refusal validation_error */
function scheduled(asked: AskedSchedule, balance: number, leastFirst: number, today: string): Installment[] {
  if ('installments' in asked) {
    checkRows(asked.installments, balance, today);
    return asked.installments;
  }
  const { installment_count, first_due_date, interval } = asked;
  if (first_due_date < today) throw invalid('first_due_date', 'This day has passed.');
  const dates = datesFrom(first_due_date, installment_count, interval);
  if ((dates.at(-1) as string) > LAST_DAY)
    throw invalid('installment_count', `The last installment must be due by ${LAST_DAY}.`);
  const rows = priceDates(dates, balance, leastFirst);
  if (!rows) throw invalid('installment_count', 'There are not as many cents to pay.');
  return rows;
}
