/** What people do with a plan that runs: Postgres moves the due date along, and ends it with its invoice. */
import { audit } from '../../database/audit.js';
import { editRow, holdRow, lockRow, now } from '../../database/model/change.js';
import { loadRow } from '../../database/model/read.js';
import { currentOrganization, firstRow, oneRow } from '../../database/rows.js';
import { invalid } from '../../errors.js';
import { notify } from '../../notifications/notify.js';
import { ChapterInvoice } from '../invoices/ChapterInvoice.js';
import { told } from '../notifications.js';
import { planErrors } from './errors.js';
import { PaymentPlan } from './PaymentPlan.js';
import { PaymentPlanInstallment } from './PaymentPlanInstallment.js';

/** Ends a plan: the invoice is due again when it was before. @throws Refusal not_found, plan_not_active */
export async function cancelPlan(planId: string, reason: string, userId: string): Promise<void> {
  const plan = await holdActive(planId);
  await editRow(plan, { status: 'cancelled', cancelled_by: userId, cancel_reason: reason, ended_at: now });
  await note(plan, 'cancelled', {});
  await notify(told.plan_cancelled, [planId]);
}

/**
 * Says that a row was paid. It changes no balance.
 * @throws Refusal not_found, plan_not_active, installment_reconciled, validation_error with `payment`
 */
export async function reconcileInstallment(
  planId: string,
  sequence: number,
  { payment, note: said }: { payment?: string | undefined; note?: string | undefined },
  userId: string,
): Promise<void> {
  const plan = await holdActive(planId);
  const row = await lockRow(PaymentPlanInstallment, { plan_id: planId, sequence });
  if (row.reconciled_at) throw planErrors.installment_reconciled();
  if (payment !== undefined) await requireCovers(plan, payment, row.amount_cents);
  await editRow(row, {
    reconciled_at: now,
    reconciled_by: userId,
    payment_record_id: payment ?? null,
    note: said ?? null,
  });
  await note(plan, 'reconciled', { sequence, payment_id: payment ?? null });
}

/** Takes that back. @throws Refusal not_found, plan_not_active, installment_not_reconciled */
export async function unreconcileInstallment(planId: string, sequence: number, reason: string): Promise<void> {
  const plan = await holdActive(planId);
  const row = await lockRow(PaymentPlanInstallment, { plan_id: planId, sequence });
  if (!row.reconciled_at) throw planErrors.installment_not_reconciled();
  await editRow(row, { reconciled_at: null, reconciled_by: null, payment_record_id: null, note: null });
  await note(plan, 'unreconciled', { sequence, reason });
}

/** The invoice first: everybody locks in this order. */
async function holdActive(planId: string): Promise<PaymentPlan> {
  const { invoice_id } = await loadRow(PaymentPlan, planId);
  await holdRow(ChapterInvoice, invoice_id);
  const plan = await lockRow(PaymentPlan, planId);
  if (plan.status !== 'active') throw planErrors.plan_not_active();
  return plan;
}

/** A payment of that invoice that counts, and the rows that name it within it. @throws Refusal validation_error with `payment` */
async function requireCovers({ invoice_id }: PaymentPlan, payment: string, cents: number): Promise<void> {
  const paid = await firstRow<{ left: number }>(
    `SELECT p.amount_cents - p.refunded_cents AS left FROM payment_records p
      WHERE p.organization_id = $1 AND p.id = $2 AND p.invoice_id = $3 AND p.status = 'succeeded'`,
    [currentOrganization(), payment, invoice_id],
  );
  if (!paid) throw invalid('payment', 'Not a payment of this invoice that went through.');
  const { named } = await oneRow<{ named: number }>(
    `SELECT coalesce(sum(amount_cents), 0)::bigint AS named FROM payment_plan_installments
      WHERE organization_id = $1 AND payment_record_id = $2`,
    [currentOrganization(), payment],
  );
  if (named + cents > paid.left)
    throw invalid('payment', 'This payment does not cover the row beside those that name it already.');
}

const note = ({ id, invoice_id }: PaymentPlan, verb: string, said: Record<string, unknown>): Promise<void> =>
  audit({
    action: `payment_plan.${verb}`,
    subjectType: 'invoice',
    subjectId: invoice_id,
    after: { plan_id: id, ...said },
  });
