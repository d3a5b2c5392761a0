/** Decides and closes requests for payment plans. */
import { planFreeze } from '../../../workflows/contracts/index.js';
import { PLAN_CHANGED } from '../../../workflows/contracts/planFreeze.js';
import { audit } from '../../database/audit.js';
import { createRow, editRow, lockExclusive, lockForEdit, now, requireVersion } from '../../database/model/change.js';
import { loadRow } from '../../database/model/read.js';
import { enqueue } from '../../database/outbox.js';
import { currentOrganization, firstRow, rows } from '../../database/rows.js';
import { requireFound } from '../../errors.js';
import { notify } from '../../notifications/notify.js';
import { resolveNotifications } from '../../notifications/resolve.js';
import { requireOtherPerson } from '../../organizations/requests/decide.js';
import { requestErrors } from '../../organizations/requests/errors.js';
import { ChapterInvoice } from '../invoices/ChapterInvoice.js';
import { notifications } from '../notifications.js';
import { checkSchedule, readLocalDay } from './checkSchedule.js';
import { planErrors } from './errors.js';
import { PaymentPlan } from './PaymentPlan.js';
import { auditPlanRequest, PaymentPlanRequest } from './PaymentPlanRequest.js';
import { type Installment, priceDates } from './schedule.js';

export interface PlanReview {
  decision: 'approve' | 'refuse';
  notes?: string | undefined;
  /** A schedule to approve instead of the requested one. */
  installments?: Installment[] | undefined;
  version?: number | undefined;
}

/**
 * Decides a request. If the balance has changed and no schedule is sent, the requested dates stay and their amounts are
 * computed again from the new balance.
 * @returns whether the amounts were computed again
 * @throws Refusal not_found, own_request, request_closed, stale_version, schedule_past, validation_error
 */
export async function reviewPlan(
  requestId: string,
  userId: string,
  review: PlanReview,
): Promise<{ repriced: boolean }> {
  const { decision, notes, installments, version } = review;
  const { request, invoice } = await lockPendingRequest(requestId);
  requireOtherPerson(await readMemberUser(request.membership_id), userId);
  requireVersion(request, version);
  if (decision === 'refuse') {
    await close(request, 'refused', { reviewed_by: userId, reviewed_at: now, review_notes: notes ?? null });
    await notify(notifications.plan_decided, [request.id]);
    return { repriced: false };
  }
  const schedule = installments ?? request.schedule;
  const balance = invoice.balance_due_cents;
  const today = await readLocalDay();
  if (!installments && (schedule[0] as Installment).due_date < today) throw planErrors.schedule_past();
  if (installments) checkSchedule(installments, balance, today);
  const repriced = !installments && request.invoice_balance_cents !== balance;
  const approvedSchedule = repriced
    ? repriceSchedule(schedule, balance, request.policy.plan_min_first_payment_cents)
    : schedule;
  await approvePlan(request, invoice, approvedSchedule, userId, notes);
  return { repriced };
}

/**
 * Computes new amounts for the dates of a schedule. If the balance has fewer cents than there are dates, the last dates
 * are dropped.
 */
function repriceSchedule(schedule: readonly Installment[], balance: number, minFirstCents: number): Installment[] {
  const dates = schedule.slice(0, balance).map(({ due_date }) => due_date);
  return priceDates(dates, balance, minFirstCents) as Installment[];
}

/**
 * Approves a locked request with a schedule, in the transaction that closes it. @param userId null: automatic approval
 * within the organization's limits
 */
export async function approvePlan(
  request: PaymentPlanRequest,
  invoice: ChapterInvoice,
  schedule: readonly Installment[],
  userId: string | null,
  notes?: string,
): Promise<void> {
  await close(request, 'approved', { reviewed_by: userId, reviewed_at: now, review_notes: notes ?? null });
  const plan = await createRow(PaymentPlan, {
    invoice_id: request.invoice_id,
    request_id: request.id,
    chapter_id: request.chapter_id,
    membership_id: request.membership_id,
    total_cents: invoice.balance_due_cents,
    billed_cents: invoice.total_cents - invoice.discount_cents,
    original_due_date: invoice.due_date,
  });
  await rows(
    `INSERT INTO payment_plan_installments (organization_id, plan_id, sequence, due_date, amount_cents)
     SELECT $1, $2, r.ordinality, (r.value->>'due_date')::date, (r.value->>'amount_cents')::bigint
       FROM jsonb_array_elements($3) WITH ORDINALITY AS r`,
    [currentOrganization(), plan.id, JSON.stringify(schedule)],
  );
  await audit({
    action: 'payment_plan.granted',
    subjectType: 'invoice',
    subjectId: request.invoice_id,
    after: { plan_id: plan.id, request_id: request.id, installments: schedule.length, total_cents: plan.total_cents },
  });
  await notify(notifications.plan_decided, [request.id]);
}

/**
 * Withdraws a request; its requester and the member may do this.
 * @throws Refusal not_found, request_closed
 */
export async function withdrawPlan(requestId: string): Promise<void> {
  const { request } = await lockPendingRequest(requestId);
  await close(request, 'withdrawn');
}

/**
 * Locks a pending request and its invoice; the invoice first, as all transactions do. @throws Refusal not_found,
 * request_closed
 */
export async function lockPendingRequest(
  requestId: string,
): Promise<{ request: PaymentPlanRequest; invoice: ChapterInvoice }> {
  const { invoice_id } = await loadRow(PaymentPlanRequest, requestId);
  const invoice = requireFound(await lockExclusive(ChapterInvoice, invoice_id));
  const request = await lockForEdit(PaymentPlanRequest, requestId);
  if (request.status !== 'pending') throw requestErrors.request_closed();
  return { request, invoice };
}

async function close(
  request: PaymentPlanRequest,
  status: PaymentPlanRequest['status'],
  changes: Partial<PaymentPlanRequest> = {},
): Promise<void> {
  await editRow(request, { status, closed_at: now, ...changes });
  await auditPlanRequest(request, status);
  await resolveNotifications('plan_request', request.id);
  if (request.freeze_anchor) await enqueue(planFreeze, { requestId: request.id }, { signal: PLAN_CHANGED });
}

const readMemberUser = async (membershipId: string): Promise<string | undefined> =>
  (
    await firstRow<{ user_id: string }>('SELECT user_id FROM memberships WHERE organization_id = $1 AND id = $2', [
      currentOrganization(),
      membershipId,
    ])
  )?.user_id;
