/** Freezes, overdue marks and due dates of invoices, against a plain model over days, zones, payments and decisions. */
import { randomUUID } from 'node:crypto';
import fc from 'fast-check';
import { sequelize } from '../../../models/database/connection.js';
import { inTenant } from '../../../models/database/tenancy.js';
import { markInvoicesOverdue } from '../../../models/finances/overdue/markInvoicesOverdue.js';
import {
  cancelPlan,
  reconcileInstallment,
  unreconcileInstallment,
} from '../../../models/finances/payment-plans/changePlan.js';
import { reviewPlan, withdrawPlan } from '../../../models/finances/payment-plans/decideOnPlan.js';
import { readPlanRequest } from '../../../models/finances/payment-plans/listPlanRequests.js';
import { requestPlan } from '../../../models/finances/payment-plans/requestPlan.js';
import { asOwner, closeOwner } from '../../support/owner.js';
import { paidByHand } from '../../support/payments.js';
import { casesOf } from '../../support/seed.js';
import { aMember, anInvoice, aWorld, type World } from '../../support/world.js';

const ZONES = ['UTC', 'Pacific/Kiritimati', 'America/Los_Angeles', 'Asia/Kolkata', 'Pacific/Pago_Pago'] as const;
const CENTS = 900;

let world: World;
beforeAll(async () => {
  world = await aWorld({ members: 1 });
  await asOwner(
    `INSERT INTO org_dues_settings (organization_id, payment_plans_enabled, plan_requesters, plan_min_first_payment_cents)
     VALUES ($1, true, 'members', 0)
     ON CONFLICT (organization_id) DO UPDATE SET payment_plans_enabled = true, plan_requesters = 'members', plan_min_first_payment_cents = 0`,
    [world.organizationId],
  );
});
afterAll(async () => {
  await closeOwner();
  await sequelize.close();
});

const story = fc.record({
  zone: fc.constantFrom(...ZONES),
  /** Days from the organization's today. */
  dueIn: fc.integer({ min: -4, max: 4 }),
  inPolicy: fc.constantFrom(true, true, false),
  paidBefore: fc.constantFrom(0, 0, 200, CENTS),
  decision: fc.constantFrom('none', 'none', 'approve', 'approve', 'approve', 'refuse', 'withdraw'),
  later: fc.array(
    fc.oneof(
      fc.record({ kind: fc.constant('pay' as const), cents: fc.constantFrom(1, 100, 299, 300, 301, 600) }),
      fc.record({ kind: fc.constantFrom('tick' as const, 'untick' as const), row: fc.integer({ min: 1, max: 3 }) }),
      fc.record({ kind: fc.constant('cancel' as const) }),
    ),
    { maxLength: 4 },
  ),
  /** The day, counted from today, as of which invoices are marked overdue. */
  markedOn: fc.integer({ min: 0, max: 12 }),
});
type Story = typeof story extends fc.Arbitrary<infer S> ? S : never;

const dayIn = (zone: string, at: Date): string => new Intl.DateTimeFormat('en-CA', { timeZone: zone }).format(at);
const plus = (day: string, days: number): string =>
  new Date(Date.parse(day) + days * 86_400_000).toISOString().slice(0, 10);

/** The model: an invoice with its request and its plan. */
class Model {
  balance = CENTS;
  request: 'pending' | 'approved' | 'refused' | 'withdrawn' | 'lapsed' = 'pending';
  plan: { rows: { due: string; cents: number }[]; total: number; status: string; ticked: Set<number> } | null = null;

  constructor(
    readonly due: string,
    readonly freezes: boolean,
  ) {}

  pay(cents: number): void {
    this.balance = Math.max(0, this.balance - cents);
    if (this.balance > 0) return;
    if (this.request === 'pending') this.request = 'lapsed';
    if (this.plan?.status === 'active') this.plan.status = 'completed';
  }

  get dueDate(): string {
    if (this.plan?.status !== 'active') return this.due;
    const { rows, total, ticked } = this.plan;
    let upTo = 0;
    const unmet = rows.find(({ cents }, n) => {
      upTo += cents;
      return !ticked.has(n + 1) && upTo > total - this.balance;
    });
    return (unmet ?? rows.at(-1))?.due as string;
  }

  isFrozen(day: string): boolean {
    return this.request === 'pending' && this.freezes && day <= plus(this.due, 2);
  }
}

async function runScenario({ zone, dueIn, inPolicy, paidBefore, decision, later, markedOn }: Story): Promise<void> {
  const { organizationId, chapterId } = world;
  await asOwner('UPDATE organizations SET timezone = $2 WHERE id = $1', [organizationId, zone]);
  const today = dayIn(zone, new Date());
  const { membershipId, userId } = await aMember(organizationId, chapterId);
  const invoice = await anInvoice(world, { chapterId, membershipId, cents: CENTS });
  const due = plus(today, dueIn);
  await asOwner('UPDATE chapter_invoices SET due_date = $2 WHERE id = $1', [invoice, due]);
  const model = new Model(due, inPolicy && dueIn >= -2);
  const tenant = <T>(work: () => Promise<T>) => inTenant(organizationId, work);
  const pay = async (cents: number) => {
    await paidByHand(organizationId, invoice, cents, randomUUID());
    model.pay(cents);
  };

  const installments = [2, 5, inPolicy ? 9 : 3_000].map((days) => ({
    due_date: plus(today, days),
    amount_cents: CENTS / 3,
  }));
  const planRequest = { invoice, justification: 'Between two jobs.', schedule: { installments } };
  const id = await tenant(() => requestPlan(planRequest, 'member', userId));
  if (model.freezes) {
    const expires = new Date((await tenant(() => readPlanRequest(id)))?.freeze_expires_at as string);
    expect([dayIn(zone, new Date(expires.getTime() - 1)), dayIn(zone, expires)]).toEqual([plus(due, 2), plus(due, 3)]);
  }
  if (paidBefore > 0) await pay(paidBefore);
  if (model.request === 'pending' && decision !== 'none') {
    if (decision === 'withdraw') await tenant(() => withdrawPlan(id));
    else await tenant(() => reviewPlan(id, world.admin.userId, { decision, notes: 'Agreed.' }));
    model.request = ({ approve: 'approved', refuse: 'refused', withdraw: 'withdrawn' } as const)[decision];
  }
  const approvedPlan = (await tenant(() => readPlanRequest(id)))?.plan ?? null;
  expect(approvedPlan !== null).toBe(model.request === 'approved');
  if (approvedPlan) {
    const rows = approvedPlan.installments.map(({ due_date, amount_cents }) => ({
      due: due_date,
      cents: amount_cents ?? 0,
    }));
    expect(rows.map((row) => row.due)).toEqual(installments.map(({ due_date }) => due_date));
    expect(rows.reduce((sum, { cents }) => sum + cents, 0)).toBe(model.balance);
    model.plan = { rows, total: model.balance, status: 'active', ticked: new Set() };
  }
  for (const step of later) {
    const { plan } = model;
    if (step.kind === 'pay') {
      if (model.balance > 0) await pay(step.cents);
    } else if (!approvedPlan || plan?.status !== 'active') continue;
    else if (step.kind === 'cancel') {
      await tenant(() => cancelPlan(approvedPlan.id, 'Agreed otherwise.', world.admin.userId));
      plan.status = 'cancelled';
    } else if (step.kind === 'tick' && !plan.ticked.has(step.row)) {
      await tenant(() => reconcileInstallment(approvedPlan.id, step.row, {}, world.admin.userId));
      plan.ticked.add(step.row);
    } else if (step.kind === 'untick' && plan.ticked.has(step.row)) {
      await tenant(() => unreconcileInstallment(approvedPlan.id, step.row, 'A mistake.'));
      plan.ticked.delete(step.row);
    }
  }

  const [stored] = await asOwner<{ request: string; plan: string | null; due: string; balance: number }>(
    `SELECT r.status AS request, p.status AS plan, to_char(i.due_date, 'YYYY-MM-DD') AS due, i.balance_due_cents::int AS balance
       FROM payment_plan_requests r JOIN chapter_invoices i ON i.id = r.invoice_id LEFT JOIN payment_plans p ON p.request_id = r.id
      WHERE r.id = $1`,
    [id],
  );
  const { request, balance } = model;
  expect(stored).toMatchObject({ request, balance, plan: model.plan?.status ?? null });
  if (balance > 0) expect(stored?.due).toBe(model.dueDate);
  for (let ahead = -5; ahead <= 8; ahead += 1) {
    const day = plus(today, ahead);
    const [{ is }] = (await asOwner<{ is: boolean }>('SELECT app.invoice_is_frozen($1, $2, $3::date) AS is', [
      organizationId,
      invoice,
      day,
    ])) as [{ is: boolean }];
    expect({ day, is }).toEqual({ day, is: model.isFrozen(day) });
  }
  const on = plus(today, markedOn);
  await tenant(() => markInvoicesOverdue(on, true));
  const [marked] = await asOwner<{ is: boolean }>(
    'SELECT overdue_at IS NOT NULL AS is FROM chapter_invoices WHERE id = $1',
    [invoice],
  );
  // A partly paid invoice is past due, but not marked.
  expect(marked?.is).toBe(balance === CENTS && model.dueDate < on && !model.isFrozen(on));
}

test('freezes and due dates follow the model in random scenarios', async () => {
  await fc.assert(fc.asyncProperty(story, runScenario), { numRuns: casesOf({ test: 12, release: 60 }) });
});
