/** Disputes that race with a pending refund or with spending of the credit: the ledger ends right in every order. */
import { sqlStateOf } from '../../../models/database/constraints.js';
import { inTenant } from '../../../models/database/tenancy.js';
import { RefundsChanged, refundCapture } from '../../../models/finances/captures/refundCapture.js';
import { readInvariants } from '../../../models/finances/checkLedger.js';
import { applyCredit } from '../../../models/finances/credit/applyCredit.js';
import { recordDisputes, type ReportedDispute } from '../../../models/finances/disputes/recordDisputes.js';
import { reserveRefunds } from '../../../models/finances/refunds/reserveRefunds.js';
import { markRefundSent } from '../../../models/finances/refunds/sendRefund.js';
import { voidInvoice } from '../../../models/finances/voidInvoice.js';
import { aProcessor, aRemittance } from '../../models/finances/ledger.support.js';
import { apiWorld } from '../../support/apiWorld.js';
import { asOwner } from '../../support/owner.js';
import { anInvoice, aWorld } from '../../support/world.js';

const stage = apiWorld();
const RULES = readInvariants().filter(({ examines }) =>
  /^(chapter_|payment_|processor_captures|refunds|money_cases)/.test(examines),
);
afterEach(async () => {
  for (const { name, query } of RULES) expect({ name, rows: await asOwner(query) }).toEqual({ name, rows: [] });
});

/** One member's invoice of 100.00, paid by a charge of its own. */
async function paidAlone() {
  const world = await aWorld({ members: 1 });
  const processorId = await aProcessor(world.organizationId);
  const { intentId, invoices } = await aRemittance(world, processorId, 10_000);
  return { world, processorId, intentId, invoice: invoices[0] as string };
}
type Paid = Awaited<ReturnType<typeof paidAlone>>;
const within = <T>({ world }: Paid, work: () => Promise<T>): Promise<T> =>
  inTenant(world.organizationId, work, {
    origin: { userId: world.admin.userId, requestId: null, ipAddress: null },
  });

/** Retries after a concurrent change or a deadlock, like a workflow. */
async function again<T>(work: () => Promise<T>): Promise<T> {
  for (let tries = 1; ; tries += 1)
    try {
      return await work();
    } catch (error) {
      const collided = error instanceof RefundsChanged || sqlStateOf(error) === '40P01';
      if (!collided || tries === 5) throw error;
    }
}

/** The dispute of the whole charge after this number of movements: withdrawn, reinstated, withdrawn again. */
const movedTo = (count: number): ReportedDispute => ({
  gatewayDisputeId: 'dp_1',
  reference: {},
  amountCents: 10_000,
  currency: 'usd',
  reason: 'fraudulent',
  decision: (['none', 'none', 'won', 'lost'] as const)[count] ?? 'none',
  evidenceDueAt: null,
  openedAt: new Date(1_700_000_000_000),
  movements: (['withdrawn', 'reinstated', 'withdrawn'] as const).slice(0, count).map((kind, n) => ({
    kind,
    amountCents: 10_000,
    movementId: `txn_${n}`,
    at: new Date(1_700_000_000_000 + n * 1000),
  })),
});
const reportDispute = (paid: Paid, movements: number) =>
  again(() =>
    within(paid, () =>
      recordDisputes(paid.processorId, paid.intentId, {
        askedAt: new Date(1_700_000_000_000 + movements * 1000).toISOString(),
        disputes: [movedTo(movements)],
      }),
    ),
  );

/** A refund that was sent to the provider. @returns its id */
async function refundOnItsWay(paid: Paid, amount_cents: number): Promise<string> {
  const refunds = await within(paid, async () => {
    const reserved = await reserveRefunds(paid.invoice, { amount_cents, reason: 'Asked for it' });
    return reserved.refunds;
  });
  const id = refunds[0] as string;
  expect(await within(paid, () => markRefundSent(id))).toBe(true);
  return id;
}
/** Records the provider's answer about the charge's refunds, with this refund only. */
const answerRefund = (paid: Paid, refundId: string, status: 'refunded' | 'failed', amountCents: number) =>
  again(async () => {
    const [charge] = await asOwner<{ version: string }>(
      'SELECT xmin::text AS version FROM processor_captures WHERE intent_id = $1',
      [paid.intentId],
    );
    const gatewayRefundId = `re_${paid.intentId}`;
    await within(paid, async () => {
      const outcome = await refundCapture(paid.processorId, paid.intentId, {
        version: charge?.version ?? null,
        refundedCents: status === 'refunded' ? amountCents : 0,
        failed: status === 'failed' ? [{ gatewayRefundId, failureCode: 'charge_disputed' }] : [],
        marked: [{ refundId, status, gatewayRefundId, amountCents, failureCode: null }],
      });
      if (outcome.state === 'unknown') throw new Error('The charge is not on record.');
    });
  });
const invoiceOf = async ({ world, invoice }: Paid) =>
  (await stage.as(world.admin).get(`/api/invoices/${invoice}/`)).body;
const explain = async ({ world, invoice }: Paid) =>
  (await stage.as(world.admin).get(`/api/invoices/${invoice}/explain/`)).body;
const listDisputes = async ({ world }: Paid) =>
  (await stage.as(world.admin).get(`/api/organizations/${world.organizationId}/disputes/`)).body.results;
const refundOf = async (id: string) =>
  (await asOwner<{ status: string }>('SELECT status FROM refunds WHERE id = $1', [id]))[0]?.status;

type Order = 'the dispute first' | 'the refund first' | 'both at once';
const ORDERS: Order[] = ['the dispute first', 'the refund first', 'both at once'];
async function meet(order: Order, dispute: () => Promise<unknown>, other: () => Promise<unknown>): Promise<void> {
  if (order === 'both at once') await Promise.all([dispute(), other(), dispute(), other()]);
  else for (const step of order === 'the dispute first' ? [dispute, other] : [other, dispute]) await step();
}

describe.each(ORDERS)('a dispute of a charge with a pending refund, %s', (order) => {
  test('the dispute takes what the refund left and returns that when it is won', async () => {
    const paid = await paidAlone();
    const refundId = await refundOnItsWay(paid, 4_000);
    await meet(
      order,
      () => reportDispute(paid, 1),
      () => answerRefund(paid, refundId, 'refunded', 4_000),
    );
    expect(await refundOf(refundId)).toBe('succeeded');
    expect(await invoiceOf(paid)).toMatchObject({ balance_due_cents: 10_000, paid_cents: 0 });
    // Repeated reports count once.
    await answerRefund(paid, refundId, 'refunded', 4_000);
    await reportDispute(paid, 1);
    await reportDispute(paid, 2);
    expect(await invoiceOf(paid)).toMatchObject({ balance_due_cents: 4_000, paid_cents: 6_000 });
    // A won dispute can become lost.
    await reportDispute(paid, 3);
    await reportDispute(paid, 2);
    expect(await invoiceOf(paid)).toMatchObject({ balance_due_cents: 10_000, paid_cents: 0 });
    expect(await listDisputes(paid)).toMatchObject([{ status: 'lost', unallocated_cents: 0 }]);
    const { balance_cents, entries } = await explain(paid);
    expect(entries.at(-1).running_balance_cents).toBe(balance_cents);
  });

  test('the dispute takes the whole charge when the provider refuses the refund, and nothing stays reserved', async () => {
    const paid = await paidAlone();
    const refundId = await refundOnItsWay(paid, 10_000);
    await meet(
      order,
      () => reportDispute(paid, 1),
      () => answerRefund(paid, refundId, 'failed', 10_000),
    );
    expect(await refundOf(refundId)).toBe('failed');
    expect(await invoiceOf(paid)).toMatchObject({ balance_due_cents: 10_000, paid_cents: 0 });
    const refund = () => stage.as(paid.world.admin).post(`/api/invoices/${paid.invoice}/refund/`, { reason: 'More' });
    expect(await refund()).toMatchObject({ status: 409, body: { code: 'nothing_to_refund' } });
    await reportDispute(paid, 2);
    expect(await invoiceOf(paid)).toMatchObject({ balance_due_cents: 0, paid_cents: 10_000, status: 'paid' });
    await reportDispute(paid, 2);
    expect(await invoiceOf(paid)).toMatchObject({ balance_due_cents: 0, paid_cents: 10_000 });
  });
});

describe.each(ORDERS)('a dispute of a payment that became credit, while the credit is spent, %s', (order) => {
  test('the dispute takes the unspent credit and opens a case for the spent part', async () => {
    const paid = await paidAlone();
    const { world } = paid;
    const { chapterId, membershipId } = world.member;
    const second = await anInvoice(world, { chapterId, membershipId, cents: 6_000 });
    const voided = await stage.as(world.admin).post(`/api/invoices/${paid.invoice}/void/`, { reason: 'A mistake' });
    expect(voided.status).toBe(200);
    let spent = 0;
    await meet(
      order,
      () => reportDispute(paid, 1),
      async () => {
        const cents = await again(() => within(paid, () => applyCredit(second)));
        spent += cents;
      },
    );
    if (order !== 'both at once') expect(spent).toBe(order === 'the refund first' ? 6_000 : 0);
    expect([0, 6_000]).toContain(spent);
    const owed = async () => (await stage.as(world.admin).get(`/api/invoices/${second}/`)).body.balance_due_cents;
    expect(await owed()).toBe(6_000 - spent);
    expect(await listDisputes(paid)).toMatchObject([{ status: 'open', unallocated_cents: spent }]);
    const credit = `/api/hq/dues/${world.organizationId}/chapters/${chapterId}/credit/?member=${membershipId}`;
    const available = async () => (await stage.as(world.admin).get(credit)).body.available_cents;
    expect(await available()).toBe(0);
    // After the dispute is won the whole payment is the payer's again: the paid second invoice, and the rest as credit.
    await reportDispute(paid, 2);
    await reportDispute(paid, 1);
    expect(await available()).toBe(10_000 - spent);
    expect(await owed()).toBe(6_000 - spent);
    expect(await listDisputes(paid)).toMatchObject([{ status: 'won', unallocated_cents: 0, money_case: null }]);
  });
});

const paymentOf = ({ invoice }: Paid) =>
  asOwner(
    'SELECT refunded_cents::int AS refunded, refunded_by_others_cents::int AS by_others FROM payment_records WHERE invoice_id = $1',
    [invoice],
  );

test('money of a returned refund counts as taken by the open dispute and no longer as our refund', async () => {
  const paid = await paidAlone();
  const refundId = await refundOnItsWay(paid, 1_000);
  await answerRefund(paid, refundId, 'refunded', 1_000);
  // The rest becomes credit, half of which is spent; the dispute cannot take the spent half.
  await within(paid, () => voidInvoice(paid.invoice, 'Left'));
  const [payer] = await asOwner<{ chapterId: string; membershipId: string }>(
    'SELECT chapter_id AS "chapterId", membership_id AS "membershipId" FROM chapter_invoices WHERE id = $1',
    [paid.invoice],
  );
  const next = await anInvoice(paid.world, { ...(payer as NonNullable<typeof payer>), cents: 5_000 });
  expect(await within(paid, () => applyCredit(next))).toBe(5_000);
  await reportDispute(paid, 1);
  expect(await paymentOf(paid)).toEqual([{ refunded: 5_000, by_others: 4_000 }]);
  expect(await listDisputes(paid)).toMatchObject([{ unallocated_cents: 5_000 }]);
  await answerRefund(paid, refundId, 'failed', 1_000);
  expect(await paymentOf(paid)).toEqual([{ refunded: 5_000, by_others: 5_000 }]);
  expect(await refundOf(refundId)).toBe('failed');
});

test('our refund reduces its payment also when the credit of that payment is spent and disputed', async () => {
  const paid = await paidAlone();
  const { chapterId, membershipId } = paid.world.member;
  const refundId = await refundOnItsWay(paid, 2_000);
  await within(paid, () => voidInvoice(paid.invoice, 'Left'));
  const next = await anInvoice(paid.world, { chapterId, membershipId, cents: 30_000 });
  const spent = await within(paid, () => applyCredit(next));
  await reportDispute(paid, 1);
  await answerRefund(paid, refundId, 'refunded', 2_000);
  expect(await refundOf(refundId)).toBe('succeeded');
  expect({ spent, payment: await paymentOf(paid) }).toEqual({
    spent: 10_000,
    payment: [{ refunded: 2_000, by_others: 0 }],
  });
  expect(await listDisputes(paid)).toMatchObject([{ status: 'open', unallocated_cents: 8_000 }]);
});

test('an amount that was reported as a refund and then as taken by a dispute is due once', async () => {
  const paid = await paidAlone();
  await within(paid, () => refundCapture(paid.processorId, paid.intentId, 4_000));
  const [charge] = await asOwner<{ version: string }>(
    'SELECT xmin::text AS version FROM processor_captures WHERE intent_id = $1',
    [paid.intentId],
  );
  const ended = movedTo(1);
  const part = {
    ...ended,
    amountCents: 4_000,
    movements: ended.movements.map((one) => ({ ...one, amountCents: 4_000 })),
  };
  const answer = { askedAt: new Date(1_700_000_001_000).toISOString(), disputes: [part] };
  const refunds = { version: charge?.version ?? null, refundedCents: 0, failed: [], marked: [] };
  await within(paid, () => recordDisputes(paid.processorId, paid.intentId, answer, refunds));
  expect(await invoiceOf(paid)).toMatchObject({ balance_due_cents: 4_000, paid_cents: 6_000 });
});
