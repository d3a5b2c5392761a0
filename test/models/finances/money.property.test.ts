import fc from 'fast-check';
import { inTenant } from '../../../models/database/tenancy.js';
import { sequelize } from '../../../models/database/connection.js';
import { firstRow, rows } from '../../../models/database/rows.js';
import { uuidv7 } from '../../../models/database/uuid.js';
import { Refusal } from '../../../models/errors.js';
import { translateDatabaseError } from '../../../models/database/constraints.js';
import { applyCredit } from '../../../models/finances/credit/applyCredit.js';
import { issueCredit } from '../../../models/finances/credit/issueCredit.js';
import { reverseCredit } from '../../../models/finances/credit/reverseCredit.js';
import { readLedger } from '../../../models/finances/accounts/readLedger.js';
import { recordFailedPayment, recordPayment } from '../../../models/finances/recordPayment.js';
import { recordRefund } from '../../../models/finances/recordRefund.js';
import { settleMemberDebts } from '../../../models/finances/settleMemberDebts.js';
import { voidInvoice } from '../../../models/finances/voidInvoice.js';
import { aMember, anInvoice, aWorld, type World } from '../../support/world.js';
import { closeOwner } from '../../support/owner.js';
import { casesOf } from '../../support/seed.js';

let world: World;
beforeAll(async () => {
  world = await aWorld({ members: 1 });
});
afterAll(async () => {
  await closeOwner();
  await sequelize.close();
});

const cents = fc.integer({ min: 1, max: 300 });
const which = fc.nat({ max: 2 });
const step = fc.oneof(
  { weight: 4, arbitrary: fc.record({ kind: fc.constant('pay' as const), invoice: which, cents }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('fail' as const), invoice: which, cents }) },
  { weight: 3, arbitrary: fc.record({ kind: fc.constant('refund' as const), payment: fc.nat({ max: 5 }), cents }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('discount' as const), invoice: which, cents }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('apply' as const), invoice: which, cents }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('issue' as const), cents }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('reverse' as const), entry: fc.nat({ max: 8 }) }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('settle' as const) }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('void' as const), invoice: which }) },
);
type Step = typeof step extends fc.Arbitrary<infer S> ? S : never;

interface State {
  chapterId: string;
  membershipId: string;
  invoices: string[];
  payments: { intent: string; invoice: string; cents: number }[];
}

async function aState(): Promise<State> {
  const { membershipId, chapterId } = await aMember(world.organizationId, world.chapterId);
  const invoices = [];
  for (const dueIn of [1, 2, 3]) invoices.push(await anInvoice(world, { chapterId, membershipId, cents: 200, dueIn }));
  return { chapterId, membershipId, invoices, payments: [] };
}

/** Takes one step; a refused step changes nothing. */
async function takeStep(state: State, next: Step): Promise<void> {
  try {
    await inTenant(world.organizationId, () => runStep(state, next));
  } catch (error) {
    if (!(error instanceof Refusal) && !translateDatabaseError(error)) throw error;
  }
}

async function runStep(state: State, next: Step): Promise<unknown> {
  const { chapterId, membershipId, invoices, payments } = state;
  switch (next.kind) {
    case 'pay': {
      const payment = { intent: `pi_${uuidv7()}`, invoice: invoices[next.invoice] as string, cents: next.cents };
      payments.push(payment);
      return pay(payment);
    }
    case 'fail': {
      const intent = `pi_${uuidv7()}`;
      payments.push({ intent, invoice: invoices[next.invoice] as string, cents: next.cents });
      return recordFailedPayment({
        ...gateway(intent),
        invoiceId: invoices[next.invoice] as string,
        amountCents: next.cents,
      });
    }
    case 'refund': {
      const payment = payments[next.payment];
      return payment && recordRefund({ intentId: payment.intent, refundedCents: next.cents });
    }
    case 'discount':
      return rows(
        `INSERT INTO invoice_discounts (organization_id, invoice_id, amount_cents, reason) VALUES ($1, $2, $3, 'Hardship')`,
        [world.organizationId, invoices[next.invoice], next.cents],
      );
    case 'apply':
      return applyCredit(invoices[next.invoice] as string, { upToCents: next.cents });
    case 'issue':
      return issueCredit({ payer: { chapterId, membershipId }, amountCents: next.cents, reason: 'A gift' });
    case 'reverse': {
      const entry = await firstRow<{ id: string }>(
        'SELECT id FROM chapter_account_credits WHERE membership_id = $1 ORDER BY id OFFSET $2 LIMIT 1',
        [membershipId, next.entry],
      );
      return entry && reverseCredit(entry.id, 'A mistake');
    }
    case 'settle':
      return settleMemberDebts([membershipId]);
    default:
      return voidInvoice(invoices[next.invoice] as string, 'A mistake');
  }
}

const gateway = (intent: string) => ({ processorId: null, processorPaymentId: intent, intentId: intent });
const pay = ({ intent, invoice, cents }: State['payments'][number]) =>
  recordPayment({ ...gateway(intent), invoiceId: invoice, amountCents: cents });

interface Entry {
  id: string;
  kind: 'issued' | 'applied' | 'refunded' | 'reversed';
  amount_cents: number;
  invoice_id: string | null;
  payment_record_id: string | null;
  reverses: string | null;
}
interface Row {
  id: string;
  invoice_id: string;
  status: string;
  amount_cents: number;
  refunded_cents: number;
  total_cents: number;
  discount_cents: number;
  credit_cents: number;
  paid_cents: number;
  overpaid_cents: number;
  balance_due_cents: number;
}

const snapshot = (state: State) =>
  inTenant(world.organizationId, async () => ({
    invoices: await rows<Row>('SELECT * FROM chapter_invoices WHERE membership_id = $1 ORDER BY id', [
      state.membershipId,
    ]),
    payments: await rows<Row>('SELECT * FROM payment_records WHERE invoice_id = ANY($1) ORDER BY id', [state.invoices]),
    credits: await rows<Entry>('SELECT * FROM chapter_account_credits WHERE membership_id = $1 ORDER BY id', [
      state.membershipId,
    ]),
    discounts: await rows<Row>('SELECT * FROM invoice_discounts WHERE invoice_id = ANY($1)', [state.invoices]),
    ledger: await readLedger(state.membershipId, { page: 1, pageSize: 1000 }),
    available: await firstRow<{ cents: number }>('SELECT app.credit_balance($1, $2) AS cents', [
      state.chapterId,
      state.membershipId,
    ]),
  }));
type Snapshot = Awaited<ReturnType<typeof snapshot>>;

const sum = (numbers: number[]): number => numbers.reduce((total, n) => total + n, 0);

/** Computes the effect of the entries on the payer's credit a second time and in another way. */
function effect(entries: Entry[], all: Entry[]): number {
  const reversedIds = new Set(all.flatMap(({ reverses }) => reverses ?? []));
  const valid = entries.filter(({ id, kind }) => kind !== 'reversed' && !reversedIds.has(id));
  return sum(valid.map(({ kind, amount_cents }) => (kind === 'issued' ? amount_cents : -amount_cents)));
}

function expectSound({ invoices, payments, credits, discounts, ledger, available }: Snapshot): void {
  expect(available?.cents).toBe(effect(credits, credits));
  expect(available?.cents).toBeGreaterThanOrEqual(0);
  const owed = ({ total_cents, discount_cents, credit_cents, paid_cents, overpaid_cents, status }: Row): number =>
    (status === 'void' ? 0 : total_cents - discount_cents) - credit_cents - paid_cents + overpaid_cents;
  expect(sum(ledger.results.map(({ amount_cents }) => amount_cents))).toBe(sum(invoices.map(owed)));
  expect(sum(ledger.results.map(({ credit_cents }) => credit_cents))).toBe(available?.cents);
  for (const invoice of invoices) {
    const of = <R extends { invoice_id: string | null }>(list: R[]) =>
      list.filter((row) => row.invoice_id === invoice.id);
    const money = of(payments).filter(({ status }) => status === 'succeeded');
    const paid = sum(money.map(({ amount_cents, refunded_cents }) => amount_cents - refunded_cents));
    const applied =
      0 -
      effect(
        of(credits).filter(({ kind }) => kind === 'applied'),
        credits,
      );
    const overpaid = effect(
      of(credits).filter((entry) => entry.kind !== 'applied' && entry.payment_record_id),
      credits,
    );
    const discount = sum(of(discounts).map(({ amount_cents }) => amount_cents));
    const due = invoice.status === 'void' ? 0 : Math.max(0, invoice.total_cents - discount - applied - paid + overpaid);
    expect(invoice).toMatchObject({
      paid_cents: paid,
      credit_cents: applied,
      overpaid_cents: overpaid,
      discount_cents: discount,
      balance_due_cents: due,
    });
    if (invoice.status !== 'void') {
      const isPartlyPaid = paid - overpaid + applied > 0;
      expect(invoice.status).toBe(due === 0 ? 'paid' : isPartlyPaid ? 'partially_paid' : 'open');
    }
    for (const payment of money) {
      const issued = credits.filter((entry) => entry.kind === 'issued' && entry.payment_record_id === payment.id);
      expect(effect(issued, credits)).toBeLessThanOrEqual(payment.amount_cents);
    }
  }
}

test('the ledger is sound after any sequence of payments, refunds, discounts, credit entries and voids', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 3, maxLength: 14 }), async (steps) => {
      const state = await aState();
      for (const next of steps) await takeStep(state, next);
      expectSound(await snapshot(state));
    }),
    { numRuns: casesOf({ test: 20, release: 120 }) },
  );
});

test('repeated reports of payments and refunds change nothing', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 3, maxLength: 10 }), async (steps) => {
      const state = await aState();
      for (const next of steps) await takeStep(state, next);
      const before = await snapshot(state);
      await inTenant(world.organizationId, async () => {
        for (const payment of before.payments) {
          const original = state.payments.find(({ intent }) => intent === payment['processor_payment_id' as never]);
          if (payment.status === 'succeeded') {
            expect(await pay(original as State['payments'][number])).toEqual({ recorded: false, creditIssuedCents: 0 });
            await recordFailedPayment({
              ...gateway(original?.intent ?? ''),
              invoiceId: payment.invoice_id,
              amountCents: 1,
            });
          }
          await recordRefund({ intentId: original?.intent ?? '', refundedCents: payment.refunded_cents });
        }
      });
      const timeless = ({ invoices, ...rest }: Snapshot) => ({
        ...rest,
        invoices: invoices.map((row) => ({ ...row, updated_at: 0 })),
      });
      expect(timeless(await snapshot(state))).toEqual(timeless(before));
    }),
    { numRuns: casesOf({ test: 10, release: 60 }) },
  );
});
