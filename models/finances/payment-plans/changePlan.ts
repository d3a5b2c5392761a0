/**
 * Operations on an active plan. Database triggers advance the due date, and end the plan when its invoice is paid or
 * voided.
 */
import { audit } from '../../database/audit.js';
import { editRow, lockExclusive, lockForEdit, now } from '../../database/model/change.js';
import { loadRow } from '../../database/model/read.js';
import { currentOrganization, firstRow, oneRow } from '../../database/rows.js';
import { invalid } from '../../errors.js';
import { notify } from '../../notifications/notify.js';
import { ChapterInvoice } from '../invoices/ChapterInvoice.js';
import { notifications } from '../notifications.js';
import { planErrors } from './errors.js';
import { PaymentPlan } from './PaymentPlan.js';
import { PaymentPlanInstallment } from './PaymentPlanInstallment.js';

/** Cancels a plan; the invoice regains its original due date. @throws Refusal not_found, plan_not_active */
export async function cancelPlan(planId: string, reason: string, userId: string): Promise<void> {
  const plan = await lockActivePlan(planId);
  await editRow(plan, { status: 'cancelled', cancelled_by: userId, cancel_reason: reason, ended_at: now });
  await auditPlan(plan, 'cancelled', {});
  await notify(notifications.plan_cancelled, [planId]);
}

/**
 * Marks an installment as paid; the invoice's balance does not change.
 * @throws Refusal not_found, plan_not_active, installment_reconciled, validation_error with `payment`
 */
export async function reconcileInstallment(
  planId: string,
  sequence: number,
  { payment, note: noteText }: { payment?: string | undefined; note?: string | undefined },
  userId: string,
): Promise<void> {
  const plan = await lockActivePlan(planId);
  const installment = await lockForEdit(PaymentPlanInstallment, { plan_id: planId, sequence });
  if (installment.reconciled_at) throw planErrors.installment_reconciled();
  if (payment !== undefined) await requireCovers(plan, payment, installment.amount_cents);
  await editRow(installment, {
    reconciled_at: now,
    reconciled_by: userId,
    payment_record_id: payment ?? null,
    note: noteText ?? null,
  });
  await auditPlan(plan, 'reconciled', { sequence, payment_id: payment ?? null });
}

/**
 * Undoes the reconciliation of an installment. @throws Refusal not_found, plan_not_active, installment_not_reconciled
 */
export async function unreconcileInstallment(planId: string, sequence: number, reason: string): Promise<void> {
  const plan = await lockActivePlan(planId);
  const installment = await lockForEdit(PaymentPlanInstallment, { plan_id: planId, sequence });
  if (!installment.reconciled_at) throw planErrors.installment_not_reconciled();
  await editRow(installment, { reconciled_at: null, reconciled_by: null, payment_record_id: null, note: null });
  await auditPlan(plan, 'unreconciled', { sequence, reason });
}

/** Locks the invoice first, then the plan: all transactions lock in this order. */
async function lockActivePlan(planId: string): Promise<PaymentPlan> {
  const { invoice_id } = await loadRow(PaymentPlan, planId);
  await lockExclusive(ChapterInvoice, invoice_id);
  const plan = await lockForEdit(PaymentPlan, planId);
  if (plan.status !== 'active') throw planErrors.plan_not_active();
  return plan;
}

/**
 * Checks that the payment succeeded, belongs to the invoice, and is large enough for all installments that are marked
 * as paid by it.
 * @throws Refusal validation_error for `payment`
 */
async function requireCovers({ invoice_id }: PaymentPlan, payment: string, cents: number): Promise<void> {
  const source = await firstRow<{ left: number }>(
    `SELECT p.amount_cents - p.refunded_cents AS left FROM payment_records p
      WHERE p.organization_id = $1 AND p.id = $2 AND p.invoice_id = $3 AND p.status = 'succeeded'`,
    [currentOrganization(), payment, invoice_id],
  );
  if (!source) throw invalid('payment', 'Must be a successful payment of the invoice of this plan.');
  const { named } = await oneRow<{ named: number }>(
    `SELECT coalesce(sum(amount_cents), 0)::bigint AS named FROM payment_plan_installments
      WHERE organization_id = $1 AND payment_record_id = $2`,
    [currentOrganization(), payment],
  );
  if (named + cents > source.left)
    throw invalid(
      'payment',
      'This payment does not cover this installment in addition to those already reconciled with it.',
    );
}

const auditPlan = ({ id, invoice_id }: PaymentPlan, verb: string, details: Record<string, unknown>): Promise<void> =>
  audit({
    action: `payment_plan.${verb}`,
    subjectType: 'invoice',
    subjectId: invoice_id,
    after: { plan_id: id, ...details },
  });
