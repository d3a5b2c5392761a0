/** Lists payment plans with their installments, which are met by a reconciliation or by payments. */
import { type Page, type PageRequest, selectPage } from '../../database/page.js';
import { currentOrganization, firstJson } from '../../database/rows.js';
import type { PaymentPlan } from './PaymentPlan.js';

export interface ShownInstallment {
  sequence: number;
  due_date: string;
  amount_cents: number | null;
  /** Whether the installment is reconciled, or covered by payments since the plan was approved. */
  is_met: boolean;
  is_late: boolean;
  reconciled_at: string | null;
  reconciled_by: string | null;
  payment: string | null;
  note: string | null;
}

export interface ShownPlan {
  id: string;
  invoice: string;
  member: string;
  status: PaymentPlan['status'];
  total_cents: number | null;
  next_due_date: string | null;
  original_due_date: string;
  is_late: boolean;
  cancel_reason: string | null;
  ended_at: string | null;
  created_at: string;
  installments: ShownInstallment[];
}

const TODAY = '(SELECT app.today())';

/**
 * SQL over plan `p`: its installments. An installment is met when it was reconciled, or when payments cover it and all
 * earlier ones. Payments count only for an active plan; in a completed plan all installments are met.
 */
const INSTALLMENTS_JSON = `(SELECT coalesce(json_agg(json_build_object('sequence', n.sequence, 'due_date', n.due_date, 'amount_cents', n.amount_cents,
    'is_met', n.is_met, 'is_late', p.status = 'active' AND NOT n.is_met AND n.due_date < ${TODAY}, 'reconciled_at', n.reconciled_at,
    'reconciled_by', n.reconciled_by, 'payment', n.payment_record_id, 'note', n.note) ORDER BY n.sequence), '[]')
  FROM (SELECT w.*, coalesce(w.reconciled_at IS NOT NULL OR p.status = 'completed' OR sum(w.amount_cents) OVER (ORDER BY w.sequence)
            <= (SELECT app.paid_of_plan(p, v) FROM chapter_invoices v WHERE v.organization_id = p.organization_id
                   AND v.id = p.invoice_id AND p.status = 'active'), false) AS is_met
          FROM payment_plan_installments w WHERE w.organization_id = p.organization_id AND w.plan_id = p.id) n)`;

const NEXT_DUE_DATE = `CASE WHEN p.status = 'active' THEN app.first_unmet(p.organization_id, p.id) END`;

/** SQL of a plan as JSON, over `payment_plans p`. */
export const PLAN_JSON = `json_build_object('id', p.id, 'invoice', p.invoice_id, 'member', p.membership_id, 'status', p.status,
  'total_cents', p.total_cents, 'next_due_date', ${NEXT_DUE_DATE}, 'original_due_date', p.original_due_date,
  'is_late', coalesce(${NEXT_DUE_DATE} < ${TODAY}, false), 'cancel_reason', p.cancel_reason, 'ended_at', p.ended_at, 'created_at', p.created_at,
  'installments', ${INSTALLMENTS_JSON})`;

export interface PlanQuery extends PageRequest {
  status?: PaymentPlan['status'] | undefined;
  isLate?: boolean | undefined;
  memberships?: string[] | undefined;
  orderBy: string;
}

/** Lists a page of plans, in one statement. */
export async function listPlans({ page, pageSize, orderBy, ...filters }: PlanQuery): Promise<Page<ShownPlan>> {
  const where = ['p.organization_id = (SELECT app.org_id())'];
  const values: unknown[] = [];
  const add = (condition: string, value: unknown): void => {
    if (value !== undefined) where.push(condition.replace('?', `$${values.push(value)}`));
  };
  add('p.status = ?', filters.status);
  add('p.membership_id = ANY(?::uuid[])', filters.memberships);
  add(`coalesce(${NEXT_DUE_DATE} < ${TODAY}, false) = ?`, filters.isLate);
  const plans = await selectPage<{ plan: ShownPlan }>({
    from: 'payment_plans p',
    where: where.join(' AND '),
    values,
    orderBy,
    key: 'p.id',
    select: `${PLAN_JSON} AS plan`,
    page,
    pageSize,
  });
  return { count: plans.count, results: plans.results.map(({ plan }) => plan) };
}

/** Reads one plan with its chapter, or null. */
export const readPlan = async (id: string): Promise<(ShownPlan & { chapter: string }) | null> => {
  const row = await firstJson<{ plan: ShownPlan; chapter: string }>(
    `SELECT ${PLAN_JSON} AS plan, p.chapter_id AS chapter FROM payment_plans p WHERE p.organization_id = $2 AND p.id = $1`,
    [id, currentOrganization()],
  );
  return row && { ...row.plan, chapter: row.chapter };
};
