/** Disputes that meet a refund on its way, or somebody who spends the credit: the books end right, whoever comes first. */
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

/** As a process does: what changed meanwhile, or what Postgres ended of two that met, is done again. */
async function again<T>(work: () => Promise<T>): Promise<T> {
  for (let tries = 1; ; tries += 1)
    try {
      return await work();
    } catch (error) {
      const met = error instanceof RefundsChanged || sqlStateOf(error) === '40P01';
      if (!met || tries === 5) throw error;
    }
}

/** The dispute of the whole charge after so many of its movements: taken, given back, taken again. */
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
const disputed = (paid: Paid, movements: number) =>
  again(() =>
    within(paid, () =>
      recordDisputes(paid.processorId, paid.intentId, {
        askedAt: new Date(1_700_000_000_000 + movements * 1000).toISOString(),
        disputes: [movedTo(movements)],
      }),
    ),
  );

/** A refund that the provider has been asked for. @returns its id */
async function refundOnItsWay(paid: Paid, amount_cents: number): Promise<string> {
  const refunds = await within(paid, async () => {
    const reserved = await reserveRefunds(paid.invoice, { amount_cents, reason: 'Asked for it' });
    return reserved.refunds;
  });
  const id = refunds[0] as string;
  expect(await within(paid, () => markRefundSent(id))).toBe(true);
  return id;
}
/** The provider, asked about the charge's refunds, knows this one alone. */
const answered = (paid: Paid, refundId: string, status: 'refunded' | 'failed', amountCents: number) =>
  again(async () => {
    const [charge] = await asOwner<{ version: string }>(
      'SELECT xmin::text AS version FROM processor_captures WHERE intent_id = $1',
      [paid.intentId],
    );
    const gatewayRefundId = `re_${paid.intentId}`;
    await within(paid, async () => {
      const noted = await refundCapture(paid.processorId, paid.intentId, {
        version: charge?.version ?? null,
        refundedCents: status === 'refunded' ? amountCents : 0,
        failed: status === 'failed' ? [{ gatewayRefundId, failureCode: 'charge_disputed' }] : [],
        marked: [{ refundId, status, gatewayRefundId, amountCents, failureCode: null }],
      });
      if (noted.state === 'unknown') throw new Error('The charge is not on record.');
    });
  });
const invoiceOf = async ({ world, invoice }: Paid) =>
  (await stage.as(world.admin).get(`/api/invoices/${invoice}/`)).body;
const explained = async ({ world, invoice }: Paid) =>
  (await stage.as(world.admin).get(`/api/invoices/${invoice}/explain/`)).body;
const listed = async ({ world }: Paid) =>
  (await stage.as(world.admin).get(`/api/organizations/${world.organizationId}/disputes/`)).body.results;
const refundOf = async (id: string) =>
  (await asOwner<{ status: string }>('SELECT status FROM refunds WHERE id = $1', [id]))[0]?.status;

type Order = 'the dispute first' | 'the refund first' | 'both at once';
const ORDERS: Order[] = ['the dispute first', 'the refund first', 'both at once'];
async function meet(order: Order, dispute: () => Promise<unknown>, other: () => Promise<unknown>): Promise<void> {
  if (order === 'both at once') await Promise.all([dispute(), other(), dispute(), other()]);
  else for (const step of order === 'the dispute first' ? [dispute, other] : [other, dispute]) await step();
}

describe.each(ORDERS)('a dispute of a charge whose refund is on its way, %s', (order) => {
  test('takes what the refund left, and gives that back when it is won', async () => {
    const paid = await paidAlone();
    const refundId = await refundOnItsWay(paid, 4_000);
    await meet(
      order,
      () => disputed(paid, 1),
      () => answered(paid, refundId, 'refunded', 4_000),
    );
    expect(await refundOf(refundId)).toBe('succeeded');
    expect(await invoiceOf(paid)).toMatchObject({ balance_due_cents: 10_000, paid_cents: 0 });
    // Told again, nothing counts twice.
    await answered(paid, refundId, 'refunded', 4_000);
    await disputed(paid, 1);
    await disputed(paid, 2);
    expect(await invoiceOf(paid)).toMatchObject({ balance_due_cents: 4_000, paid_cents: 6_000 });
    // Won can become lost.
    await disputed(paid, 3);
    await disputed(paid, 2);
    expect(await invoiceOf(paid)).toMatchObject({ balance_due_cents: 10_000, paid_cents: 0 });
    expect(await listed(paid)).toMatchObject([{ status: 'lost', unallocated_cents: 0 }]);
    const { balance_cents, entries } = await explained(paid);
    expect(entries.at(-1).running_balance_cents).toBe(balance_cents);
  });

  test('takes all of it where the provider refuses the refund, and nothing stays reserved', async () => {
    const paid = await paidAlone();
    const refundId = await refundOnItsWay(paid, 10_000);
    await meet(
      order,
      () => disputed(paid, 1),
      () => answered(paid, refundId, 'failed', 10_000),
    );
    expect(await refundOf(refundId)).toBe('failed');
    expect(await invoiceOf(paid)).toMatchObject({ balance_due_cents: 10_000, paid_cents: 0 });
    const refund = () => stage.as(paid.world.admin).post(`/api/invoices/${paid.invoice}/refund/`, { reason: 'More' });
    expect(await refund()).toMatchObject({ status: 409, body: { code: 'nothing_to_refund' } });
    await disputed(paid, 2);
    expect(await invoiceOf(paid)).toMatchObject({ balance_due_cents: 0, paid_cents: 10_000, status: 'paid' });
    await disputed(paid, 2);
    expect(await invoiceOf(paid)).toMatchObject({ balance_due_cents: 0, paid_cents: 10_000 });
  });
});

describe.each(ORDERS)('a dispute of a payment that became credit, while the credit is spent, %s', (order) => {
  test('takes what is unspent; what was spent stays, and is somebody’s to decide', async () => {
    const paid = await paidAlone();
    const { world } = paid;
    const { chapterId, membershipId } = world.member;
    const second = await anInvoice(world, { chapterId, membershipId, cents: 6_000 });
    const voided = await stage.as(world.admin).post(`/api/invoices/${paid.invoice}/void/`, { reason: 'A mistake' });
    expect(voided.status).toBe(200);
    let spent = 0;
    await meet(
      order,
      () => disputed(paid, 1),
      async () => {
        const cents = await again(() => within(paid, () => applyCredit(second)));
        spent += cents;
      },
    );
    if (order !== 'both at once') expect(spent).toBe(order === 'the refund first' ? 6_000 : 0);
    expect([0, 6_000]).toContain(spent);
    const owed = async () => (await stage.as(world.admin).get(`/api/invoices/${second}/`)).body.balance_due_cents;
    expect(await owed()).toBe(6_000 - spent);
    expect(await listed(paid)).toMatchObject([{ status: 'open', unallocated_cents: spent }]);
    const credit = `/api/hq/dues/${world.organizationId}/chapters/${chapterId}/credit/?member=${membershipId}`;
    const available = async () => (await stage.as(world.admin).get(credit)).body.available_cents;
    expect(await available()).toBe(0);
    // Won, all of the money is the payer's again: what pays the second invoice, and the rest as credit.
    await disputed(paid, 2);
    await disputed(paid, 1);
    expect(await available()).toBe(10_000 - spent);
    expect(await owed()).toBe(6_000 - spent);
    expect(await listed(paid)).toMatchObject([{ status: 'won', unallocated_cents: 0, money_case: null }]);
  });
});

const paymentOf = ({ invoice }: Paid) =>
  asOwner(
    'SELECT refunded_cents::int AS refunded, refunded_by_others_cents::int AS by_others FROM payment_records WHERE invoice_id = $1',
    [invoice],
  );

test('what a refund that came back leaves is taken by the dispute that had found it gone, and is no refund of ours any more', async () => {
  const paid = await paidAlone();
  const refundId = await refundOnItsWay(paid, 1_000);
  await answered(paid, refundId, 'refunded', 1_000);
  // The rest becomes credit, of which half is spent: that the dispute cannot take.
  await within(paid, () => voidInvoice(paid.invoice, 'Left'));
  const [payer] = await asOwner<{ chapterId: string; membershipId: string }>(
    'SELECT chapter_id AS "chapterId", membership_id AS "membershipId" FROM chapter_invoices WHERE id = $1',
    [paid.invoice],
  );
  const next = await anInvoice(paid.world, { ...(payer as NonNullable<typeof payer>), cents: 5_000 });
  expect(await within(paid, () => applyCredit(next))).toBe(5_000);
  await disputed(paid, 1);
  expect(await paymentOf(paid)).toEqual([{ refunded: 5_000, by_others: 4_000 }]);
  expect(await listed(paid)).toMatchObject([{ unallocated_cents: 5_000 }]);
  await answered(paid, refundId, 'failed', 1_000);
  expect(await paymentOf(paid)).toEqual([{ refunded: 5_000, by_others: 5_000 }]);
  expect(await refundOf(refundId)).toBe('failed');
});

test('a refund of ours goes back of its payment also where others have spent all that the payment had become', async () => {
  const paid = await paidAlone();
  const { chapterId, membershipId } = paid.world.member;
  const refundId = await refundOnItsWay(paid, 2_000);
  await within(paid, () => voidInvoice(paid.invoice, 'Left'));
  const next = await anInvoice(paid.world, { chapterId, membershipId, cents: 30_000 });
  const spent = await within(paid, () => applyCredit(next));
  await disputed(paid, 1);
  await answered(paid, refundId, 'refunded', 2_000);
  expect(await refundOf(refundId)).toBe('succeeded');
  expect({ spent, payment: await paymentOf(paid) }).toEqual({
    spent: 10_000,
    payment: [{ refunded: 2_000, by_others: 0 }],
  });
  expect(await listed(paid)).toMatchObject([{ status: 'open', unallocated_cents: 8_000 }]);
});

test('a part that was told as a refund before it was told as what a dispute ended with is due once', async () => {
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
  const told = { askedAt: new Date(1_700_000_001_000).toISOString(), disputes: [part] };
  const refunds = { version: charge?.version ?? null, refundedCents: 0, failed: [], marked: [] };
  await within(paid, () => recordDisputes(paid.processorId, paid.intentId, told, refunds));
  expect(await invoiceOf(paid)).toMatchObject({ balance_due_cents: 4_000, paid_cents: 6_000 });
});
