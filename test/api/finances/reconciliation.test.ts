/** Reconciliation with a provider: unreported movements are recorded, differences open cases, and each day adds up. */
import { MockActivityEnvironment } from '@temporalio/testing';
import type StripeSdk from 'stripe';
import {
  compareNextCharges,
  listNextMovements,
  listProcessorsToReconcile,
  type Progress,
} from '../../../activities/finances/reconciliation.js';
import { config } from '../../../config.js';
import { CARDS } from '../../../development/standins/checkout/state.js';
import { VAULT } from '../../../development/standins/paypal/money.js';
import { paymentPort } from '../../../gateways/payments/processors.js';
import { inTenant } from '../../../models/database/tenancy.js';
import { recordIntent } from '../../../models/finances/attempts/attempt.js';
import { loadProcessorAccess } from '../../../models/finances/attempts/processorAccess.js';
import { recordInvoiceCharge } from '../../../models/finances/captures/recordInvoiceCharge.js';
import { beginRun } from '../../../models/finances/reconciliation/saveMovements.js';
import { syncChargeCases } from '../../../models/finances/reconciliation/judgeCharge.js';
import { beginPayment } from '../../../models/finances/remittances/beginPayment.js';
import { createRemittance } from '../../../models/finances/remittances/createRemittance.js';
import type { ReconciliationInput } from '../../../workflows/contracts/reconciliation.js';
import { closeAll, type Instance, startInstance } from '../../development/standins/payments/payments.support.js';
import { opened } from '../../gateways/payments/opened.js';
import { apiWorld } from '../../support/apiWorld.js';
import { expectSoundLedger } from '../../support/ledger.js';
import { asOwner } from '../../support/owner.js';
import { aProcessor, eventually } from '../../support/platform.js';
import type { Ordered } from '../../support/cardStandin.js';
import { aCheckoutProcessor, startCheckout } from '../../support/checkout.js';
import { aPaypalProcessor, startPaypal } from '../../support/paypal.js';
import { aSquareProcessor, startSquare } from '../../support/square.js';
import { countStatements } from '../../support/statements.js';
import { accountKeyOf } from '../../support/walk/outsider.js';
import { anInvoice, aWorld, type World } from '../../support/world.js';

const stage = apiWorld();
let gateway: Instance;
let world: World;
let processor: string;
let stripe: StripeSdk;

beforeEach(async () => {
  gateway = await startInstance();
  config.STRIPE_API_URL = gateway.url;
  world = await aWorld({ members: 2 });
  processor = await aProcessor(world);
  stripe = gateway.stripe(accountKeyOf(processor));
});
afterEach(async () => {
  await expectSoundLedger();
  await closeAll();
});

const A_DAY = 86_400_000;
const today = () => new Date().toISOString().slice(0, 10);
const dayBefore = (days: number) => new Date(Date.now() - days * A_DAY).toISOString().slice(0, 10);

/** Runs the steps of a day's comparison, each one twice. */
async function reconcile(day = today(), processorId = processor, until = Date.now() + A_DAY): Promise<Progress> {
  const input: ReconciliationInput = {
    organizationId: world.organizationId,
    processorId,
    day,
    from: new Date(Date.now() - 3 * A_DAY).toISOString(),
    to: new Date(until).toISOString(),
  };
  let progress: Progress = 'done';
  for (const step of [listNextMovements, listNextMovements, compareNextCharges, compareNextCharges])
    do {
      progress = await new MockActivityEnvironment().run<[typeof input], Progress, typeof step>(step, input);
      if (progress === 'refused') return progress;
    } while (progress === 'more');
  return progress;
}

const invoice = (cents: number) =>
  anInvoice(world, { chapterId: world.chapterId, membershipId: world.member.membershipId, cents });
/** Takes money at the gateway without an event to us. */
const take = async (amount: number, metadata: Record<string, string>): Promise<string> =>
  (
    await stripe.paymentIntents.create({
      amount,
      currency: 'usd',
      metadata,
      automatic_payment_methods: { enabled: true, allow_redirects: 'never' },
      payment_method: 'pm_card_visa',
      confirm: true,
    })
  ).id;
const takeFor = (invoiceId: string, amount: number) =>
  take(amount, { organization_id: world.organizationId, processor_id: processor, invoice_id: invoiceId });
/** Records the charge as an event or a hosted page would. */
const record = (invoiceId: string, intentId: string, amountCents: number, processorId = processor) =>
  inTenant(world.organizationId, () =>
    recordInvoiceCharge({ processorId, intentId, invoiceId, amountCents, currency: 'usd', attemptId: null }),
  );
const path = (rest: string, { organizationId }: World = world) => `/api/organizations/${organizationId}/${rest}`;
const cases = async (query = '') => (await stage.as(world.admin).get(path(`money-cases/${query}`))).body.results;
const report = async (query = '') => (await stage.as(world.admin).get(path(`reconciliation/${query}`))).body;
const read = async (id: string) => (await stage.as(world.admin).get(`/api/invoices/${id}/`)).body;
const noticesOf = async () =>
  (
    await asOwner<{ type: string }>(
      `SELECT notification_type AS type FROM notifications WHERE organization_id = $1 AND recipient_id = $2
          AND notification_type = 'reconciliation_differs'`,
      [world.organizationId, world.admin.userId],
    )
  ).length;

test('reconciliation records charges, refunds and disputes that no event reported, and the day adds up', async () => {
  const [unreported, refunded, disputed] = [await invoice(5_000), await invoice(6_000), await invoice(7_000)];
  await takeFor(unreported, 5_000);
  const second = await takeFor(refunded, 6_000);
  await record(refunded, second, 6_000);
  await stripe.refunds.create({ payment_intent: second, amount: 2_000 });
  const third = await takeFor(disputed, 7_000);
  await record(disputed, third, 7_000);
  await gateway.control('POST', '/disputes', { kind: 'dispute_open', payment_intent: third });
  await gateway.control('POST', '/payouts', { account_key: accountKeyOf(processor), amount_cents: 3_000 });
  expect(await reconcile()).toBe('done');

  expect(await read(unreported)).toMatchObject({ status: 'paid', balance_due_cents: 0 });
  expect(await read(refunded)).toMatchObject({ status: 'partially_paid', balance_due_cents: 2_000 });
  expect(await read(disputed)).toMatchObject({ status: 'open', balance_due_cents: 7_000 });
  expect(await cases()).toEqual([]);
  expect(await noticesOf()).toBe(0);
  // Fees: 2.9 % and 30 cents of each charge, 15.00 of the dispute.
  const totals = {
    captured_cents: 18_000,
    refunded_cents: 2_000,
    disputed_cents: 7_000,
    fees_cents: 175 + 204 + 233 + 1_500,
    flagged_cents: 0,
    payouts_cents: 3_000,
    difference_cents: 0,
  };
  const summary = await report();
  expect(summary).toMatchObject({ currency: 'usd', total: totals });
  expect(summary.days).toHaveLength(30);
  expect(summary.days.filter((one: { captured_cents: number }) => one.captured_cents > 0)).toMatchObject([totals]);
  expect(summary.days.some(({ compared }: { compared: boolean }) => compared)).toBe(true);

  // The returned refund and the bank's decision are recorded the next day.
  const [refund] = (await stripe.refunds.list({ payment_intent: second })).data;
  await gateway.control('POST', '/refunds', { refund: refund?.id, status: 'failed' });
  const [dispute] = (await stripe.disputes.list({ payment_intent: third })).data;
  await gateway.control('POST', '/disputes', { kind: 'dispute_won', dispute: dispute?.id });
  await reconcile(dayBefore(-1));
  expect(await read(refunded)).toMatchObject({ status: 'paid' });
  expect(await read(disputed)).toMatchObject({ status: 'paid' });
  expect((await report(`?to=${dayBefore(-1)}`)).total).toMatchObject({ refunded_cents: 0, disputed_cents: 0 });
  expect(await cases()).toEqual([]);
});

test('a charge unknown to the provider opens one case with one notification, which stays decided while nothing changes', async () => {
  const unpaid = await invoice(4_000);
  await record(unpaid, 'pi_nowhere', 4_000);
  await reconcile(dayBefore(2));
  const [open] = await cases('?status=open&kind=recorded_not_captured');
  expect(open).toMatchObject({
    gateway_object: 'pi_nowhere',
    processor,
    amount_cents: 4_000,
    recorded_cents: 4_000,
    reported_cents: 0,
  });
  await reconcile(dayBefore(1));
  expect(await cases()).toHaveLength(1);
  expect(await noticesOf()).toBe(1);
  expect((await report()).total).toMatchObject({ captured_cents: 0, difference_cents: -4_000 });

  const resolve = (body: object) => stage.as(world.admin).post(path(`money-cases/${open.id}/resolve/`), body);
  const allocations = [{ invoice: unpaid, amount_cents: 4_000 }];
  expect((await resolve({ resolution: 'allocated', allocations, note: 'x' })).status).toBe(400);
  expect(await resolve({ resolution: 'accepted', note: 'A test of ours.' })).toMatchObject({ status: 200 });
  await reconcile();
  expect(await cases()).toMatchObject([{ id: open.id, status: 'closed', resolution: 'accepted' }]);
  expect((await report()).total).toMatchObject({ difference_cents: -4_000 });
});

test('a different amount opens a case that closes itself once both sides agree', async () => {
  const id = await invoice(4_000);
  const intent = await takeFor(id, 4_500);
  await record(id, intent, 4_000);
  await reconcile(dayBefore(2));
  expect(await cases()).toMatchObject([
    { kind: 'amount_differs', gateway_object: intent, recorded_cents: 4_000, reported_cents: 4_500, amount_cents: 500 },
  ]);
  expect((await report()).total).toMatchObject({ captured_cents: 4_500, difference_cents: 500 });
  const sound = await invoice(1_000);
  const agreed = await takeFor(sound, 1_000);
  await record(sound, agreed, 1_000);
  await asOwner(
    `INSERT INTO money_cases (organization_id, processor_id, kind, gateway_object, amount_cents, recorded_cents, reported_cents, moved_at)
     VALUES ($1, $2, 'amount_differs', $3, 100, 900, 1000, now())`,
    [world.organizationId, processor, agreed],
  );
  await reconcile(dayBefore(1));
  expect(await cases('?status=closed')).toMatchObject([
    { gateway_object: agreed, resolution: 'agreed', closed_by: null },
  ]);
  expect((await report()).total).toMatchObject({ difference_cents: 500 });
});

test('a charge that cannot be recorded opens a case that closes itself once it can be recorded', async () => {
  const id = await invoice(4_321);
  const intent = await takeFor(id, 4_321);
  await asOwner('ALTER TABLE processor_captures ADD CONSTRAINT refuses CHECK (amount_cents <> 4321) NOT VALID');
  try {
    await reconcile(dayBefore(2));
  } finally {
    await asOwner('ALTER TABLE processor_captures DROP CONSTRAINT refuses');
  }
  const [open] = await cases();
  expect(open).toMatchObject({
    kind: 'captured_not_recorded',
    gateway_object: intent,
    status: 'open',
    amount_cents: 4_321,
  });
  expect(open).toMatchObject({ recorded_cents: 0, reported_cents: 4_321, processor });
  expect((await report()).total).toMatchObject({ captured_cents: 4_321, difference_cents: 4_321 });
  await reconcile(dayBefore(1));
  expect(await cases()).toMatchObject([{ id: open.id, status: 'closed', resolution: 'agreed' }]);
  expect(await read(id)).toMatchObject({ status: 'paid' });
  expect((await report()).total).toMatchObject({ difference_cents: 0 });
});

test('other payments of the provider account and of another organization open no case', async () => {
  await take(9_900, { order: 'T-shirts', name: 'Sam Member' });
  await take(8_800, { organization_id: stage.other.organizationId, invoice_id: await invoice(8_800) });
  expect(await reconcile()).toBe('done');
  expect(await cases()).toEqual([]);
  expect((await report()).total).toMatchObject({ captured_cents: 0, fees_cents: 0, difference_cents: 0 });
  const marks = await asOwner('SELECT marks FROM gateway_movements WHERE organization_id = $1', [world.organizationId]);
  expect(marks).toEqual([{ marks: {} }, { marks: {} }]);
});

test('a payment for an unknown invoice is flagged for an administrator and is no difference', async () => {
  await take(3_300, { organization_id: world.organizationId, invoice_id: processor });
  await reconcile();
  expect(await cases()).toEqual([]);
  expect((await report()).total).toMatchObject({ captured_cents: 3_300, flagged_cents: 3_300, difference_cents: 0 });
  const unmatched = await stage.as(world.admin).get(path('unmatched-payments/'));
  expect(unmatched.body.results).toMatchObject([{ amount_cents: 3_300, state: 'open' }]);
});

test('a movement of unknown kind opens a case while it makes a difference, and foreign currency pays no invoice', async () => {
  const id = await invoice(5_000);
  const intent = await takeFor(id, 5_000);
  await record(id, intent, 5_000);
  const insertMovement = (movementId: string, cents: number, intentId: string) =>
    asOwner(
      `INSERT INTO gateway_movements (organization_id, processor_id, provider, movement_id, kind, amount_cents, fee_cents, currency, moved_at, intent_id)
       VALUES ($1, $2, 'stripe', $3, 'other', $4, 0, 'usd', now(), $5)`,
      [world.organizationId, processor, movementId, cents, intentId],
    );
  await insertMovement('txn_correction', -700, intent);
  await insertMovement('txn_of_others', -900, 'pi_of_others');
  const foreign = await invoice(8_000);
  await stripe.paymentIntents.create({
    amount: 8_000,
    currency: 'eur',
    metadata: { organization_id: world.organizationId, processor_id: processor, invoice_id: foreign },
    automatic_payment_methods: { enabled: true, allow_redirects: 'never' },
    payment_method: 'pm_card_visa',
    confirm: true,
  });
  await reconcile(dayBefore(2));
  const [open] = await cases();
  expect(await cases()).toEqual([
    expect.objectContaining({ kind: 'other', gateway_object: intent, amount_cents: 700, reported_cents: -700 }),
  ]);
  expect(await read(foreign)).toMatchObject({ status: 'open', balance_due_cents: 8_000 });
  const unmatched = await stage.as(world.admin).get(path('unmatched-payments/'));
  expect(unmatched.body.results).toMatchObject([{ amount_cents: 8_000, state: 'open' }]);
  expect((await report()).total).toMatchObject({ captured_cents: 5_000, difference_cents: -700 });
  await insertMovement('txn_corrected_again', 700, intent);
  await reconcile(dayBefore(1));
  expect(await cases()).toMatchObject([{ id: open.id, status: 'closed', resolution: 'agreed' }]);
});

test('a partial refund of a charge for several invoices keeps its own case and is no difference', async () => {
  const shares = await Promise.all(
    [3_000, 4_000].map(async (cents) => ({ invoice: await invoice(cents), amount_cents: cents })),
  );
  const { organizationId, chapterId, officer } = world;
  const remittance = await inTenant(organizationId, () => createRemittance(chapterId, shares, officer.userId));
  const intent = await take(7_000, {
    organization_id: organizationId,
    processor_id: processor,
    remittance_id: remittance,
  });
  await stripe.refunds.create({ payment_intent: intent, amount: 1_000 });
  await reconcile(dayBefore(1));
  for (const one of shares) expect(await read(one.invoice)).toMatchObject({ status: 'paid' });
  const waiting = [{ kind: 'refund_unknown', gateway_object: intent, amount_cents: 1_000, status: 'open' }];
  expect(await cases()).toMatchObject(waiting);
  await reconcile();
  expect(await cases()).toMatchObject(waiting);
  expect((await report()).total).toMatchObject({ captured_cents: 7_000, refunded_cents: 1_000, difference_cents: 0 });
});

test('a charge that moved during the comparison opens no case in that pass, and a repeated run keeps its first period', async () => {
  const id = await invoice(4_000);
  await record(id, 'pi_just_now', 4_000);
  const run = { processorId: processor, day: today(), from: '2025-03-01T00:00:00Z', to: '2025-03-04T00:00:00Z' };
  const began = await inTenant(world.organizationId, () => beginRun(run));
  const again = { ...run, from: '2025-03-02T00:00:00Z', to: '2025-03-05T00:00:00Z' };
  expect(await inTenant(world.organizationId, () => beginRun(again))).toEqual(began);
  const nothing = { capturedCents: 0, refundedCents: 0, heldCents: 0 };
  const judge = (mayOpen: boolean) =>
    inTenant(world.organizationId, () =>
      syncChargeCases({ id: began.id, processorId: processor, mayOpen }, 'pi_just_now', nothing, true),
    );
  expect([await judge(false), await cases()]).toEqual([false, []]);
  expect([await judge(true), (await cases()).length]).toEqual([true, 1]);
});

test('concurrent runs record an unreported charge once', async () => {
  const id = await invoice(5_000);
  await takeFor(id, 5_000);
  await Promise.allSettled([dayBefore(1), today(), dayBefore(-1)].map((day) => reconcile(day)));
  await reconcile(dayBefore(2));
  expect(await read(id)).toMatchObject({ status: 'paid', balance_due_cents: 0 });
  const paid = await asOwner<{ cents: number }>(
    'SELECT amount_cents AS cents FROM payment_records WHERE invoice_id = $1',
    [id],
  );
  expect([paid, await cases()]).toEqual([[{ cents: 5_000 }], []]);
});

interface Elsewhere extends Ordered {
  connect(): Promise<string>;
  close(): Promise<unknown>;
}
async function atSquare(): Promise<Elsewhere> {
  const square = await startSquare();
  return { ...square, connect: () => aSquareProcessor(stage, square, world) };
}
async function atPaypal(): Promise<Elsewhere> {
  const paypal = await startPaypal();
  return { ...paypal, connect: () => aPaypalProcessor(stage, paypal, world) };
}

async function atCheckout(): Promise<Elsewhere> {
  const checkout = await startCheckout();
  return { ...checkout, connect: () => aCheckoutProcessor(stage, checkout, world) };
}

test.each([
  ['Square', atSquare, 'cnon:card-nonce-ok'],
  ['PayPal', atPaypal, VAULT.good],
  ['Checkout.com', atCheckout, CARDS.good],
])(
  'movements at %s are compared too: charges, and disputes that no event reported',
  async (_, start, paymentMethod) => {
    await asOwner('UPDATE org_payment_processors SET disabled_at = now() WHERE id = $1', [processor]);
    const there = await start();
    try {
      const connectedId = await there.connect();
      const port = paymentPort(await inTenant(world.organizationId, () => loadProcessorAccess(connectedId)));
      const id = await invoice(5_000);
      const intentId = await opened(port, {
        amountCents: 5_000,
        currency: 'usd',
        reference: { organization_id: world.organizationId, processor_id: connectedId, invoice_id: id, attempt_id: id },
        paymentMethod,
        idempotencyKey: `open:${id}`,
      });
      await port.confirmCharge({ intentId, paymentMethod, idempotencyKey: `confirm:${id}` });
      // Some providers accept the capture first and complete it a moment later.
      await eventually(
        () => port.readCharge(intentId),
        ({ status }) => status === 'captured',
      );
      expect(await reconcile(dayBefore(2), connectedId, Date.now())).toBe('done');
      expect(await read(id)).toMatchObject({ status: 'paid', balance_due_cents: 0 });
      await there.order('POST', '/disputes', { kind: 'dispute_open', charge: intentId });
      await reconcile(dayBefore(1), connectedId, Date.now());
      expect(await read(id)).toMatchObject({ status: 'open', balance_due_cents: 5_000 });
      expect(await cases()).toEqual([]);
      await record(await invoice(700), 'nowhere', 700, connectedId);
      await reconcile(today(), connectedId, Date.now());
      expect(await cases()).toMatchObject([
        { kind: 'recorded_not_captured', gateway_object: 'nowhere', processor: connectedId },
      ]);
      expect((await report()).total).toMatchObject({
        captured_cents: 5_000,
        disputed_cents: 5_000,
        difference_cents: -700,
      });
    } finally {
      await there.close();
    }
  },
);

test('the period of an account ends where its provider’s list is complete, six hours ago at PayPal', async () => {
  await asOwner('UPDATE org_payment_processors SET disabled_at = now() WHERE id = $1', [processor]);
  const paypal = await startPaypal();
  const hoursSince = async (disabled: string) => {
    const { organizations } = await listProcessorsToReconcile(null);
    const of = organizations.find(({ processorId }) => processorId === disabled);
    return of && Math.round((Date.now() - Date.parse(of.to)) / 3_600_000);
  };
  try {
    expect(await hoursSince(await aPaypalProcessor(stage, paypal, world))).toBe(6);
    expect(await hoursSince(await aProcessor(await aWorld({ members: 1 })))).toBe(0);
  } finally {
    await paypal.close();
  }
});

test('a comparison resumes where the last successful one ended, at most 30 days ago', async () => {
  const daysOf = async () => {
    const { organizations } = await listProcessorsToReconcile(null);
    const { from, to } = organizations.find(({ processorId }) => processorId === processor) as ReconciliationInput;
    return Math.round((Date.parse(to) - Date.parse(from)) / A_DAY);
  };
  const endRun = (status: string, daysAgo: number) =>
    asOwner(
      `INSERT INTO reconciliations (organization_id, processor_id, day, period_from, period_to, status, finished_at)
       SELECT $1, $2, current_date - $4::int, now() - ($4::int + 3) * interval '1 day', now() - $4::int * interval '1 day', $3, now()`,
      [world.organizationId, processor, status, daysAgo],
    );
  expect(await daysOf()).toBe(3);
  await endRun('compared', 50);
  expect(await daysOf()).toBe(30);
  await endRun('compared', 9);
  await endRun('refused', 2);
  expect(await daysOf()).toBe(9);
  await endRun('compared', 1);
  expect(await daysOf()).toBe(3);
});

test('reconciliation leaves the charge of a pending payment to its workflow', async () => {
  const id = await invoice(2_000);
  const { organizationId, chapterId, officer } = world;
  const shares = [{ invoice: id, amount_cents: 2_000 }];
  const remittance = await inTenant(organizationId, () => createRemittance(chapterId, shares, officer.userId));
  const intent = await take(2_000, { organization_id: organizationId, remittance_id: remittance });
  await inTenant(organizationId, async () => {
    const { attemptId } = await beginPayment(remittance, 'pm_card_visa', officer.userId);
    await recordIntent(attemptId, intent);
  });
  await reconcile();
  expect(await cases()).toEqual([]);
  expect(await asOwner('SELECT id FROM processor_captures WHERE organization_id = $1', [organizationId])).toEqual([]);
});

test('charges of a disabled processor with the same account are compared, and a refused run can be repeated', async () => {
  const id = await invoice(5_500);
  const intent = await takeFor(id, 5_500);
  await record(id, intent, 5_500);
  const key = accountKeyOf(processor);
  await asOwner(
    `UPDATE org_payment_processors SET disabled_at = now(), gateway_account_id = 'acct_one', gateway_livemode = false WHERE id = $1`,
    [processor],
  );
  const next = await aProcessor(world);
  await asOwner(
    `UPDATE org_payment_processors SET gateway_account_id = 'acct_one', gateway_livemode = false WHERE id = $1`,
    [next],
  );
  await gateway.control('POST', '/keys', { key: accountKeyOf(next), same_account_as: key });
  await gateway.control('POST', '/keys', { key: accountKeyOf(next), revoked: true });
  expect(await reconcile(today(), next)).toBe('refused');
  await gateway.control('POST', '/keys', { key: accountKeyOf(next), revoked: false });
  expect(await reconcile(today(), next)).toBe('done');
  expect(await cases()).toEqual([]);
  expect((await report()).total).toMatchObject({ captured_cents: 5_500, difference_cents: 0 });
});

test('the report uses the days of the organization, also those with 23 and 25 hours, and exports them as CSV', async () => {
  await asOwner(`UPDATE organizations SET timezone = 'America/New_York' WHERE id = $1`, [world.organizationId]);
  const moments = ['2025-03-09T04:59:59Z', '2025-03-09T05:00:00Z', '2025-03-10T03:59:59Z', '2025-03-10T04:00:00Z'];
  for (const [n, at] of moments.entries())
    await asOwner(
      `INSERT INTO gateway_movements (organization_id, processor_id, provider, movement_id, kind, amount_cents, fee_cents, currency, moved_at, intent_id, marks)
       VALUES ($1, $2, 'stripe', $3, 'captured', $4, 1, 'usd', $5, $3, $6)`,
      [world.organizationId, processor, `txn_${n}`, 10 ** n, at, JSON.stringify({ invoice_id: processor })],
    );
  const { days, total } = await report('?from=2025-03-08&to=2025-03-10');
  expect(days.map((one: { captured_cents: number }) => one.captured_cents)).toEqual([1, 110, 1_000]);
  expect(total.captured_cents).toBe(1_111);
  const csv = await stage.as(world.admin).get(path('reconciliation/?from=2025-03-08&to=2025-03-10&format=csv'));
  expect(csv.headers.get('content-type')).toBe('text/csv; charset=utf-8');
  expect(csv.body.split('\r\n').slice(0, 3)).toEqual([
    'day,currency,captured_cents,refunded_cents,disputed_cents,fees_cents,flagged_cents,payouts_cents,difference_cents,compared',
    '2025-03-08,usd,1,0,0,1,0,0,0,no',
    '2025-03-09,usd,110,0,0,2,0,0,0,no',
  ]);
});

test('only administrators read the report of their organization, for valid days, with a fixed number of statements', async () => {
  expect((await stage.nobody.get(path('reconciliation/'))).status).toBe(401);
  for (const by of [world.officer, world.regionalAdmin, world.member])
    expect((await stage.as(by).get(path('reconciliation/'))).status).toBe(403);
  expect((await stage.as(stage.other.admin).get(path('reconciliation/'))).status).toBe(404);
  const refusedFields = async (query: string) => {
    const { status, body } = await stage.as(world.admin).get(path(`reconciliation/?${query}`));
    return [status, ...Object.keys(body.errors ?? {})];
  };
  expect(await refusedFields('from=2025-02-30')).toEqual([400, 'from']);
  expect(await refusedFields('from=2025-03-02&to=2025-03-01')).toEqual([400, 'to']);
  expect(await refusedFields('from=2199-01-01')).toEqual([400, 'from']);
  expect(await refusedFields('from=2024-01-01&to=2025-01-01')).toEqual([400, 'from']);
  expect(await refusedFields('from=1800-01-01&to=2200-12-31')).toEqual([400, 'from']);
  for (const odd of ['0000-01-01', '2025-1-1', '20250101', '-infinity', '2025-03-01T00:00:00Z', '', "'", '%00'])
    expect(await refusedFields(`from=${odd}`)).toEqual([400, 'from']);
  expect(await refusedFields('from=2025-03-01&from=2025-03-02')).toEqual([400, 'from']);
  for (const edge of [
    'from=9999-12-31&to=9999-12-31',
    'from=0001-01-01&to=0001-01-01',
    'to=0001-01-15',
    'to=9999-12-31',
  ])
    expect((await stage.as(world.admin).get(path(`reconciliation/?${edge}`))).status).toBeLessThan(500);
  expect(await refusedFields('format=xlsx')).toEqual([400, 'format']);
  expect((await report('?from=2024-01-01&to=2024-12-31')).days).toHaveLength(366);
  const admin = stage.as(world.admin);
  const few = await countStatements(() => admin.get(path('reconciliation/?from=2025-03-01&to=2025-03-01')));
  const many = await countStatements(() => admin.get(path('reconciliation/?from=2024-04-01&to=2025-03-01')));
  expect([few, many - few]).toEqual([expect.any(Number), 0]);
  expect(few).toBeLessThanOrEqual(4);
});
