/** What becomes of a request to pay by instalments. */
import { planFreeze } from '../../../workflows/contracts/index.js';
import { PLAN_CHANGED } from '../../../workflows/contracts/planFreeze.js';
import { audit } from '../../database/audit.js';
import { createRow, editRow, holdRow, lockRow, now, requireVersion } from '../../database/model/change.js';
import { loadRow } from '../../database/model/read.js';
import { enqueue } from '../../database/outbox.js';
import { currentOrganization, firstRow, rows } from '../../database/rows.js';
import { found } from '../../errors.js';
import { notify } from '../../notifications/notify.js';
import { resolveNotifications } from '../../notifications/resolve.js';
import { requestErrors } from '../../organizations/requests/errors.js';
import { ChapterInvoice } from '../invoices/ChapterInvoice.js';
import { told } from '../notifications.js';
import { checkRows, localDay } from './checkRows.js';
import { planErrors } from './errors.js';
import { PaymentPlan } from './PaymentPlan.js';
import { auditPlanRequest, PaymentPlanRequest } from './PaymentPlanRequest.js';
import { type Installment, priceDates } from './schedule.js';

export interface PlanReview {
  decision: 'approve' | 'refuse';
  notes?: string | undefined;
  /** Another schedule than was asked for. */
  installments?: Installment[] | undefined;
  version?: number | undefined;
}

/**
 * Decides a request. Where something else is due by now and no schedule is sent, the days that were asked for are priced anew.
 * @returns whether they were
 * @throws Refusal not_found, own_request, request_closed, stale_version, schedule_past, validation_error
 */
export async function reviewPlan(
  requestId: string,
  userId: string,
  review: PlanReview,
): Promise<{ repriced: boolean }> {
  const { decision, notes, installments, version } = review;
  const { request, invoice } = await holdRequest(requestId);
  if (await isMember(request.membership_id, userId)) throw requestErrors.own_request();
  requireVersion(request, version);
  if (decision === 'refuse') {
    await close(request, 'refused', { reviewed_by: userId, reviewed_at: now, review_notes: notes ?? null });
    await notify(told.plan_decided, [request.id]);
    return { repriced: false };
  }
  const schedule = installments ?? request.schedule;
  const balance = invoice.balance_due_cents;
  const today = await localDay();
  if (!installments && (schedule[0] as Installment).due_date < today) throw planErrors.schedule_past();
  if (installments) checkRows(installments, balance, today);
  const repriced = !installments && request.invoice_balance_cents !== balance;
  const granted = repriced ? repriceRows(schedule, balance, request.policy.plan_min_first_payment_cents) : schedule;
  await approve(request, invoice, granted, userId, notes);
  return { repriced };
}

/** The days stay; where less is due than there are rows, the last ones go. */
function repriceRows(schedule: readonly Installment[], balance: number, leastFirst: number): Installment[] {
  const dates = schedule.slice(0, balance).map(({ due_date }) => due_date);
  return priceDates(dates, balance, leastFirst) as Installment[];
}

/** Grants a locked request its schedule, in the transaction that closes it. @param userId null: the organization's limits did */
export async function approve(
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
  await notify(told.plan_decided, [request.id]);
}

/** Whoever asked, or is to pay, takes it back. @throws Refusal not_found, request_closed */
export async function withdrawPlan(requestId: string): Promise<void> {
  const { request } = await holdRequest(requestId);
  await close(request, 'withdrawn');
}

/** A request that waits and its invoice, which is held first: everybody locks in this order. @throws Refusal not_found, request_closed */
export async function holdRequest(
  requestId: string,
): Promise<{ request: PaymentPlanRequest; invoice: ChapterInvoice }> {
  const { invoice_id } = await loadRow(PaymentPlanRequest, requestId);
  const invoice = found(await holdRow(ChapterInvoice, invoice_id));
  const request = await lockRow(PaymentPlanRequest, requestId);
  if (request.status !== 'pending') throw requestErrors.request_closed();
  return { request, invoice };
}

async function close(
  request: PaymentPlanRequest,
  status: PaymentPlanRequest['status'],
  more: Partial<PaymentPlanRequest> = {},
): Promise<void> {
  await editRow(request, { status, closed_at: now, ...more });
  await auditPlanRequest(request, status);
  await resolveNotifications('plan_request', request.id);
  if (request.freeze_anchor) await enqueue(planFreeze, { requestId: request.id }, { signal: PLAN_CHANGED });
}

const isMember = async (membershipId: string, userId: string): Promise<boolean> =>
  (await firstRow('SELECT FROM memberships WHERE organization_id = $1 AND id = $2 AND user_id = $3', [
    currentOrganization(),
    membershipId,
    userId,
  ])) !== null;
