/** Installment plans: requested and approved, reconciled, ended. */
import { oneRow, rows } from '../../../../models/database/rows.js';
import {
  cancelPlan,
  reconcileInstallment,
  unreconcileInstallment,
} from '../../../../models/finances/payment-plans/changePlan.js';
import { reviewPlan } from '../../../../models/finances/payment-plans/decideOnPlan.js';
import { requestPlan } from '../../../../models/finances/payment-plans/requestPlan.js';
import type { AccountStage, Does } from './stage.js';

export const plans: Does<'plan' | 'tick' | 'cancel plan'> = {
  plan: (stage, { pick, count }) => grantPlan(stage, pick, count),
  tick: (stage, { pick, off }) => tick(stage, pick, off),
  'cancel plan': (stage, { pick }) => endPlan(stage, pick),
};

async function grantPlan(stage: AccountStage, pick: number, installment_count: number): Promise<void> {
  const open = await rows<{ id: string }>(
    `SELECT id FROM chapter_invoices i WHERE organization_id = $1 AND payer_type = 'member' AND balance_due_cents > 1 AND status <> 'void'
        AND NOT EXISTS (SELECT FROM payment_plans p WHERE p.invoice_id = i.id AND p.status = 'active') ORDER BY id DESC`,
    [stage.organizationId],
  );
  const invoiceId = open[pick % Math.max(1, open.length)]?.id;
  if (!invoiceId) return;
  const { first_due_date } = await oneRow<{ first_due_date: string }>(
    'SELECT (app.today() + $1::int)::text AS first_due_date',
    [installment_count],
  );
  const { userId } = stage.world.admin;
  const schedule = { installment_count, first_due_date, interval: 'weekly' } as const;
  const id = await requestPlan({ invoice: invoiceId, justification: 'In parts', schedule }, 'admin', userId);
  await reviewPlan(id, userId, { decision: 'approve' });
}

async function tick(stage: AccountStage, pick: number, off: boolean): Promise<void> {
  const found = await rows<{ id: string; sequence: number }>(
    `SELECT p.id, w.sequence FROM payment_plans p JOIN payment_plan_installments w ON w.plan_id = p.id
      WHERE p.organization_id = $1 AND p.status = 'active' AND (w.reconciled_at IS NOT NULL) = $2 ORDER BY p.id DESC, w.sequence`,
    [stage.organizationId, off],
  );
  const { id, sequence } = found[pick % Math.max(1, Math.min(5, found.length))] ?? {};
  if (!id || !sequence) return;
  if (off) await unreconcileInstallment(id, sequence, 'By mistake');
  else await reconcileInstallment(id, sequence, {}, stage.world.admin.userId);
}

async function endPlan(stage: AccountStage, pick: number): Promise<void> {
  const found = await rows<{ id: string }>(
    `SELECT id FROM payment_plans WHERE organization_id = $1 AND status = 'active' ORDER BY id DESC`,
    [stage.organizationId],
  );
  const id = found[pick % Math.max(1, found.length)]?.id;
  if (id) await cancelPlan(id, 'Broken', stage.world.admin.userId);
}
