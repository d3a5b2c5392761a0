/** The roster bucket and the dues standing of a member, against one model of what was billed, paid and requested. */
import { randomUUID } from 'node:crypto';
import fc from 'fast-check';
import { sequelize } from '../../../models/database/connection.js';
import { inTenant } from '../../../models/database/tenancy.js';
import { recordPayment } from '../../../models/finances/recordPayment.js';
import { readDuesStandings, type DuesStanding } from '../../../models/finances/good-standing/goodStanding.js';
import { reviewPlan } from '../../../models/finances/payment-plans/decideOnPlan.js';
import { requestPlan } from '../../../models/finances/payment-plans/requestPlan.js';
import { type Bucket, listCollectionRoster } from '../../../models/finances/roster/listCollectionRoster.js';
import { voidInvoice } from '../../../models/finances/voidInvoice.js';
import { asOwner, closeOwner } from '../../support/owner.js';
import { casesOf } from '../../support/seed.js';
import { aMember, anInvoice, aWorld, type World } from '../../support/world.js';

let world: World;
let today: string;
beforeAll(async () => {
  world = await aWorld({ members: 1 });
  await asOwner(
    `INSERT INTO org_dues_settings (organization_id, payment_plans_enabled, plan_requesters, plan_min_first_payment_cents)
     VALUES ($1, true, 'members', 0)
     ON CONFLICT (organization_id) DO UPDATE SET payment_plans_enabled = true, plan_requesters = 'members', plan_min_first_payment_cents = 0`,
    [world.organizationId],
  );
  const [now] = await asOwner<{ today: string }>(
    `SELECT app.local_day(timezone)::text AS today FROM organizations WHERE id = $1`,
    [world.organizationId],
  );
  today = now?.today as string;
});
afterAll(async () => {
  await closeOwner();
  await sequelize.close();
});

const CENTS = 900;
const bill = fc.record({
  dueIn: fc.integer({ min: -5, max: 3 }),
  paid: fc.constantFrom(0, 0, 0, 300, CENTS, 1_200),
  isVoid: fc.boolean(),
  /** asked: a request is pending; late: the first installment of the plan was missed. */
  plan: fc.constantFrom('none', 'none', 'asked', 'too_long', 'granted', 'late'),
});
type Bill = typeof bill extends fc.Arbitrary<infer B> ? B : never;

const isOpen = ({ paid }: Bill): boolean => paid < CENTS;
/** Only an unpaid invoice is voided, and its request or plan ends with it. */
const isVoided = ({ isVoid, paid }: Bill): boolean => isVoid && paid === 0;
const liveBills = (bills: readonly Bill[]) => bills.filter((one) => isOpen(one) && !isVoided(one));

/** A request within the limits freezes the invoice until the end of the second day after the due date. */
function isBehind({ plan, dueIn }: Bill): boolean {
  if (plan === 'granted') return false;
  if (plan === 'late') return true;
  return dueIn < 0 && !(plan === 'asked' && dueIn >= -2);
}

function expectedOf(bills: readonly Bill[]): { bucket: Bucket; standing: DuesStanding } {
  const due = liveBills(bills);
  const billed = bills.some((one) => !isVoided(one));
  const behind = due.some(isBehind);
  const requested = due.some(({ plan }) => plan === 'asked' || plan === 'too_long');
  const planned = due.some(({ plan }) => plan === 'granted' || plan === 'late');
  const credit = bills.some(({ paid }) => paid > CENTS);
  const rest = credit ? 'credit' : billed ? 'settled' : 'none';
  return {
    bucket: behind ? 'delinquent' : requested ? 'pending_request' : planned ? 'on_plan' : due.length > 0 ? 'due' : rest,
    standing: behind ? 'owing' : billed ? 'good' : 'not_billed',
  };
}

const dayFromToday = (days: number) => new Date(Date.parse(today) + days * 86_400_000).toISOString().slice(0, 10);

async function applyBill(membershipId: string, userId: string, { dueIn, paid, isVoid, plan }: Bill): Promise<void> {
  const id = await anInvoice(world, { chapterId: world.chapterId, membershipId, cents: CENTS, dueIn });
  const rows = (last: number) => ({
    installments: [
      { due_date: dayFromToday(1), amount_cents: 400 },
      { due_date: dayFromToday(last), amount_cents: 500 },
    ],
  });
  await inTenant(world.organizationId, async () => {
    if (plan !== 'none') {
      const schedule = rows(plan === 'too_long' ? 3_000 : 20);
      const request = await requestPlan(
        { invoice: id, justification: 'Between two jobs.', schedule },
        'member',
        userId,
      );
      if (plan === 'granted' || plan === 'late')
        await reviewPlan(request, world.admin.userId, { decision: 'approve', version: undefined } as never);
    }
  });
  if (plan === 'late') {
    await asOwner(
      `UPDATE payment_plan_installments SET due_date = due_date - 5 WHERE sequence = 1
          AND plan_id IN (SELECT id FROM payment_plans WHERE invoice_id = $1)`,
      [id],
    );
    await asOwner('UPDATE chapter_invoices SET due_date = due_date - 5 WHERE id = $1', [id]);
  }
  await inTenant(world.organizationId, async () => {
    if (paid > 0)
      await recordPayment({
        invoiceId: id,
        amountCents: paid,
        processorId: null,
        intentId: null,
        processorPaymentId: `manual:${randomUUID()}`,
      });
    else if (isVoid) await voidInvoice(id, 'A mistake.');
  });
}

test('the bucket and the standing of a member follow the model', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(bill, { maxLength: 3 }), async (bills) => {
      const { membershipId, userId } = await aMember(world.organizationId, world.chapterId);
      // Surplus money pays no other invoice by itself.
      for (const one of bills) await applyBill(membershipId, userId, one);
      const [page, standings] = await inTenant(world.organizationId, async () => [
        await listCollectionRoster({ chapter: world.chapterId, page: 1, pageSize: 500 }),
        await readDuesStandings([membershipId]),
      ]);
      const row = page.results.find(({ membership }) => membership === membershipId);
      expect({ bucket: row?.bucket, standing: standings.get(membershipId) }).toEqual(expectedOf(bills));
      expect(standings.get(membershipId) === 'owing').toBe(row?.bucket === 'delinquent');
    }),
    { numRuns: casesOf({ test: 15, release: 100 }) },
  );
});
