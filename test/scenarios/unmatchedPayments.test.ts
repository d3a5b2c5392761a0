/** Money without a purpose here: an administrator sees it, refunds it, or makes it credit of a payer. */
import { randomUUID } from 'node:crypto';
import StripeSdk from 'stripe';
import { stripeAddress } from '../../gateways/payments/stripe.js';
import { MAX_CHARGE_CENTS } from '../../models/finances/attempts/chargeLimits.js';
import type { Client } from '../support/api.js';
import { paidIntent, refundedCharge, sendEvent } from '../support/events.js';
import { recordHistory } from '../support/histories.js';
import { expectSoundLedger } from '../support/ledger.js';
import { asOwner } from '../support/owner.js';
import { aPlatform, aProcessor, eventually } from '../support/platform.js';
import { listProcesses } from '../support/processList.js';
import { accountKeyOf } from '../support/walk/outsider.js';
import { anInvoice, aWorld, signIn, type World } from '../support/world.js';

const platform = aPlatform();
let world: World;
let processor: string;
let admin: Client;
let stripe: StripeSdk;

beforeEach(async () => {
  world = await aWorld({ members: 1 });
  processor = await aProcessor(world);
  await platform.hear(processor, accountKeyOf(processor), ['refund.failed']);
  admin = platform.client(world.admin);
  const address = stripeAddress(platform.gateway.url);
  stripe = new StripeSdk(accountKeyOf(processor), { ...address, maxNetworkRetries: 0, telemetry: false });
});

interface Unmatched {
  id: string;
  state: string;
  refunded_cents: number;
  processor_payment_id: string;
}

const list = () => `/api/organizations/${world.organizationId}/unmatched-payments/`;
const resolve = (id: string, body: object, as = admin) => as.post(`${list()}${id}/resolve/`, body);
const read = async (id: string) => {
  const { results } = (await admin.get<{ results: Unmatched[] }>(list())).body;
  return results.find((one) => one.id === id) as Unmatched;
};
const becomes = (id: string, state: string) =>
  eventually(
    () => read(id),
    (one) => one.state === state,
  );
const marks = () => ({ organization_id: world.organizationId, processor_id: processor, remittance_id: randomUUID() });
const toMember = () => ({ chapter: world.chapterId, membership: world.member.membershipId });
const keep = (payer: object = toMember()) => ({ resolution: 'keep_as_credit', payer, note: 'She paid by telephone.' });
const refund = { resolution: 'refund', note: 'Nobody knows whose it is.' };
const creditOf = async (member?: string) =>
  (
    await admin.get(
      `/api/hq/dues/${world.organizationId}/chapters/${world.chapterId}/credit/${member ? `?member=${member}` : ''}`,
    )
  ).body;

/** Money that the gateway captured for a remittance that does not exist. @returns it as the list shows it */
async function aStray(amount = 4_200, currency = 'usd'): Promise<Unmatched> {
  await charge(amount, marks(), currency);
  return newest();
}

const charge = (amount: number, metadata: Record<string, string>, currency = 'usd') =>
  stripe.paymentIntents.create({
    amount,
    currency,
    metadata,
    automatic_payment_methods: { enabled: true, allow_redirects: 'never' },
    payment_method: 'pm_card_visa',
    confirm: true,
  });

const newest = async (): Promise<Unmatched> => {
  const { results } = await eventually(
    async () => (await admin.get<{ count: number; results: Unmatched[] }>(`${list()}?resolved=false`)).body,
    ({ count }) => count > 0,
  );
  return results[0] as Unmatched;
};

/** Unmatched money without a charge at the gateway: only an event reports it. */
async function aToldStray(amount: number) {
  const paid = paidIntent(amount, marks());
  await sendEvent(platform, 'payment_intent.succeeded', { to: processor, object: paid });
  return { ...(await newest()), paid };
}

const tellRefund = (paid: ReturnType<typeof paidIntent>, cents: number) =>
  sendEvent(platform, 'charge.refunded', { to: processor, object: refundedCharge(paid, cents) });

const isSettled = () =>
  eventually(
    () =>
      asOwner('SELECT id FROM webhook_events WHERE organization_id = $1 AND outcome IS NULL', [world.organizationId]),
    (waiting) => waiting.length === 0,
  );

test('an unmatched payment is refunded once at the gateway, and its state shows the progress', async () => {
  const { id, processor_payment_id: intentId } = await aStray();
  expect((await admin.get(list())).body.results).toMatchObject([
    { id, processor, amount_cents: 4_200, refunded_cents: 0, currency: 'usd', state: 'open', resolution: null },
  ]);
  const { status, body } = await resolve(id, refund);
  expect({ status, body }).toMatchObject({
    status: 202,
    body: { state: 'refunding', resolution: { resolution: 'refund', status: 'pending', amount_cents: 4_200 } },
  });
  const done = await becomes(id, 'refunded');
  expect(done).toMatchObject({
    refunded_cents: 4_200,
    resolution: { status: 'done', requested_by: world.admin.userId },
  });
  expect((await stripe.refunds.list({ payment_intent: intentId })).data).toHaveLength(1);
  expect((await admin.get(`${list()}?resolved=false`)).body.count).toBe(0);
  expect((await admin.get(`${list()}?resolved=true`)).body.count).toBe(1);
  for (const again of [refund, keep()]) {
    expect(await resolve(id, again)).toMatchObject({ status: 409, body: { code: 'payment_already_resolved' } });
  }
  const entries = await asOwner<{ action: string }>('SELECT action FROM audit_log WHERE subject_id = $1 ORDER BY id', [
    id,
  ]);
  expect(entries.map(({ action }) => action)).toEqual([
    'capture.stray',
    'capture.refund_requested',
    'capture.refunded',
  ]);
  const { results } = await listProcesses(
    admin,
    `subject=${id}&kind=payment_refund`,
    (shown) => shown.results[0]?.stage === 'refunded',
  );
  const [process] = results;
  expect(process).toMatchObject({ subject: { type: 'processor_capture', id } });
  expect((await admin.get(`/api/processes/${process.id}/`)).body).toMatchObject({ money_moved: 'yes' });
  await eventually(
    async () => (await admin.get(`/api/processes/${process.id}/`)).body,
    ({ status: now }) => now === 'completed',
  );
  await recordHistory(process.workflow_id, 'giveBackPayment-refunded');
});

test.each(['drop_before_capture', 'drop_after_capture', 'error_after_capture'])(
  'a refund of an unmatched payment whose answer is lost (%s) is looked up and made once',
  async (kind) => {
    const { id, processor_payment_id: intentId } = await aStray();
    await platform.fault({ kind, operation: 'refund', times: 2 });
    await resolve(id, refund);
    await becomes(id, 'refunded');
    const { data } = await stripe.refunds.list({ payment_intent: intentId });
    expect(data.map(({ amount }) => amount)).toEqual([4_200]);
  },
);

test('a refund that the gateway refuses leaves the payment open for another decision', async () => {
  const { id, paid } = await aToldStray(4_200);
  expect(paid.id).not.toBe('');
  await resolve(id, refund);
  expect(await becomes(id, 'open')).toMatchObject({
    resolution: { status: 'failed', failure_code: 'resource_missing' },
  });
  expect(await resolve(id, keep())).toMatchObject({ status: 200, body: { state: 'kept_as_credit' } });
});

test('a refund with a revoked key waits for the new one, while its processor is disabled', async () => {
  const { id } = await aStray();
  await platform.changeKey({ key: accountKeyOf(processor), revoked: true });
  await resolve(id, refund);
  const processors = `/api/organizations/${world.organizationId}/payment-processors/${processor}/`;
  await admin.post(`${processors}disable/`);
  const { results } = await eventually(
    async () => (await admin.get(`/api/processes/?subject=${id}&kind=payment_refund`)).body,
    ({ count }) => count > 0,
  );
  await eventually(
    async () => (await admin.get(`/api/processes/${results[0].id}/`)).body,
    ({ last_failure }) => last_failure?.code === 'provider_refused_key',
  );
  const key = `sk_test_next_${world.slug.replaceAll('-', '_')}`;
  await platform.changeKey({ key, same_account_as: accountKeyOf(processor) });
  expect(await admin.post(`${processors}rotate/`, { secret_key: key })).toMatchObject({ status: 200 });
  await becomes(id, 'refunded');
});

test('an unmatched payment becomes credit of its payer once, however many administrators decide at once', async () => {
  const { id } = await aStray();
  const answers = await Promise.all([resolve(id, keep()), resolve(id, keep()), resolve(id, keep())]);
  expect(answers.map(({ status }) => status).toSorted((one, two) => one - two)).toEqual([200, 409, 409]);
  expect(await read(id)).toMatchObject({ state: 'kept_as_credit', resolution: { payer: toMember() } });
  expect(await creditOf(world.member.membershipId)).toMatchObject({ available_cents: 4_200, count: 1 });
});

test('one of two simultaneous decisions, a refund and a credit, succeeds', async () => {
  const { id } = await aStray();
  const answers = await Promise.all([resolve(id, refund), resolve(id, keep())]);
  expect(answers.filter(({ status }) => status < 300)).toHaveLength(1);
  expect(answers.filter(({ status }) => status === 409)).toHaveLength(1);
  const { state } = await eventually(
    () => read(id),
    (one) => one.state !== 'refunding',
  );
  const { available_cents: kept } = await creditOf(world.member.membershipId);
  expect([
    ['refunded', 0],
    ['kept_as_credit', 4_200],
  ]).toContainEqual([state, kept]);
});

test('a refund that the bank returns later reopens the unmatched payment, and the admins are notified', async () => {
  const { id, processor_payment_id: intentId } = await aStray();
  await resolve(id, refund);
  await becomes(id, 'refunded');
  const { data } = await stripe.refunds.list({ payment_intent: intentId });
  await platform.concludeRefund({ refund: data[0]?.id ?? '', status: 'failed' });
  expect(await becomes(id, 'open')).toMatchObject({
    refunded_cents: 0,
    resolution: { status: 'failed', failure_code: 'expired_or_canceled_card' },
  });
  await isSettled();
  expect(await asOwner('SELECT kind FROM account_notices WHERE user_id = $1', [world.admin.userId])).toEqual([
    { kind: 'payment_refund_failed' },
  ]);
  // An event from before the return arrives late, and is ignored.
  await tellRefund(paidIntent(4_200, marks(), intentId), 4_200);
  await isSettled();
  expect(await read(id)).toMatchObject({ state: 'open', refunded_cents: 0 });
  expect(await resolve(id, keep())).toMatchObject({ status: 200, body: { state: 'kept_as_credit' } });
});

test('a failed refund pays its invoice again, and a payment made in the meantime becomes credit', async () => {
  const { organizationId, chapterId, member } = world;
  const invoice = await anInvoice(world, { chapterId, membershipId: member.membershipId, cents: 5_000 });
  const owes = (cents: number) =>
    eventually(
      () =>
        asOwner<{ due: number }>('SELECT balance_due_cents::int AS due FROM chapter_invoices WHERE id = $1', [invoice]),
      ([row]) => row?.due === cents,
    );
  const reference = { organization_id: organizationId, processor_id: processor, invoice_id: invoice };
  const first = await charge(5_000, reference);
  await owes(0);
  const { id: refundId } = await stripe.refunds.create({ payment_intent: first.id, amount: 3_000 });
  await owes(3_000);
  await charge(1_000, reference);
  await owes(2_000);
  await platform.concludeRefund({ refund: refundId, status: 'failed' });
  await owes(0);
  await isSettled();
  expect(await creditOf(member.membershipId)).toMatchObject({ available_cents: 1_000 });
  // A later real refund counts once.
  await stripe.refunds.create({ payment_intent: first.id, amount: 1_500 });
  await owes(500);
  expect(await creditOf(member.membershipId)).toMatchObject({ available_cents: 0 });
});

test('an unmatched payment that was kept as credit is credit again after a failed refund', async () => {
  const { id, processor_payment_id: intentId } = await aStray();
  await resolve(id, keep());
  const { id: refundId } = await stripe.refunds.create({ payment_intent: intentId, amount: 4_000 });
  const available = (cents: number) =>
    eventually(
      () => creditOf(world.member.membershipId),
      ({ available_cents: now }) => now === cents,
    );
  await available(200);
  await platform.concludeRefund({ refund: refundId, status: 'failed' });
  await available(4_200);
  expect(await read(id)).toMatchObject({ state: 'kept_as_credit', refunded_cents: 0 });
});

test('the amount of a failed refund is open for another decision when another refund succeeded', async () => {
  const { id, processor_payment_id: intentId } = await aStray();
  const { id: refundId } = await stripe.refunds.create({ payment_intent: intentId, amount: 1_000 });
  await eventually(
    () => read(id),
    ({ refunded_cents: cents }) => cents === 1_000,
  );
  await resolve(id, refund);
  await becomes(id, 'refunded');
  await platform.concludeRefund({ refund: refundId, status: 'failed' });
  expect(await becomes(id, 'open')).toMatchObject({ refunded_cents: 3_200, resolution: { status: 'done' } });
  await resolve(id, refund);
  expect(await becomes(id, 'refunded')).toMatchObject({ refunded_cents: 4_200, resolution: { amount_cents: 1_000 } });
});

test('a refund event that arrives before the event of an unmatched payment is applied when the payment is known', async () => {
  const paid = paidIntent(4_000, marks());
  await tellRefund(paid, 1_500);
  await sendEvent(platform, 'payment_intent.succeeded', { to: processor, object: paid });
  const { id } = await newest();
  expect(
    await eventually(
      () => read(id),
      ({ refunded_cents: cents }) => cents > 0,
    ),
  ).toMatchObject({ state: 'open', refunded_cents: 1_500 });
  // A charge without a reference to the platform is other business of the account.
  const other = { ...paidIntent(700, {}), metadata: {} };
  await tellRefund(other, 700);
  await isSettled();
});

test('a payment above the largest possible charge can become credit of a chapter', async () => {
  const { id } = await aToldStray(MAX_CHARGE_CENTS + 1);
  expect(await resolve(id, keep({ chapter: world.chapterId }))).toMatchObject({ status: 200 });
  expect(await creditOf()).toMatchObject({ available_cents: MAX_CHARGE_CENTS + 1 });
  expect(await creditOf(world.member.membershipId)).toMatchObject({ available_cents: 0 });
});

test('a later refund revokes the credit of an unmatched payment, also from invoices that it paid', async () => {
  const { id, paid } = await aToldStray(10_000);
  await resolve(id, keep());
  const invoice = await anInvoice(world, {
    chapterId: world.chapterId,
    membershipId: world.member.membershipId,
    cents: 8_000,
  });
  await asOwner(
    `INSERT INTO chapter_account_credits (organization_id, chapter_id, payer_type, membership_id, kind, amount_cents, invoice_id, reason)
     VALUES ($1, $2, 'member', $3, 'applied', 8000, $4, 'Test')`,
    [world.organizationId, world.chapterId, world.member.membershipId, invoice],
  );
  const dueOn = async () =>
    (
      await asOwner<{ due: number }>('SELECT balance_due_cents::int AS due FROM chapter_invoices WHERE id = $1', [
        invoice,
      ])
    )[0]?.due;
  for (const [refunded, available, due] of [
    [1_000, 1_000, 0],
    [5_000, 0, 3_000],
    [5_000, 0, 3_000],
    [10_000, 0, 8_000],
  ] as const) {
    await tellRefund(paid, refunded);
    await isSettled();
    expect([(await creditOf(world.member.membershipId)).available_cents, await dueOn()]).toEqual([available, due]);
    await expectSoundLedger();
  }
  expect(await read(id)).toMatchObject({ state: 'kept_as_credit', refunded_cents: 10_000 });
});

test('an amount that was refunded before the decision does not become credit, and a full refund leaves nothing to decide', async () => {
  const { id, paid } = await aToldStray(10_000);
  await tellRefund(paid, 4_000);
  await isSettled();
  await resolve(id, keep());
  expect(await creditOf(world.member.membershipId)).toMatchObject({ available_cents: 6_000 });
  const other = await aToldStray(500);
  await tellRefund(other.paid, 500);
  await isSettled();
  expect(await read(other.id)).toMatchObject({ state: 'refunded', resolution: null });
  expect(await resolve(other.id, keep())).toMatchObject({ status: 409 });
});

test('an unmatched payment of another currency cannot become credit', async () => {
  const { id } = await aStray(10_000, 'jpy');
  expect(await resolve(id, keep())).toMatchObject({ status: 409, body: { code: 'payment_other_currency' } });
  await resolve(id, refund);
  await becomes(id, 'refunded');
});

test('a later event of a payment that became credit pays no invoice', async () => {
  const invoice = await anInvoice(world, { chapterId: world.chapterId, membershipId: world.member.membershipId });
  const { id, paid } = await aToldStray(10_000);
  await resolve(id, keep());
  const again = { ...paid, metadata: { ...paid.metadata, invoice_id: invoice } };
  await sendEvent(platform, 'payment_intent.succeeded', { to: processor, object: again });
  await isSettled();
  expect(await asOwner('SELECT 1 FROM payment_records WHERE intent_id = $1', [paid.id])).toEqual([]);
});

test('a decision needs an admin of the organization and a recent proof of identity', async () => {
  const { id } = await aToldStray(700);
  expect(await platform.client(world.officer).get(list())).toMatchObject({ status: 403 });
  expect(await resolve(id, refund, platform.client(world.officer))).toMatchObject({ status: 403 });
  const other = await aWorld({ members: 1 });
  expect(await platform.client(other.admin).get(list())).toMatchObject({ status: 404 });
  const foreign = `/api/organizations/${other.organizationId}/unmatched-payments/${id}/resolve/`;
  expect(await platform.client(other.admin).post(foreign, refund)).toMatchObject({ status: 404 });
  const token = await signIn(world.admin.userId, world.organizationId);
  await asOwner(`UPDATE sessions SET auth_time = now() - interval '16 minutes' WHERE user_id = $1`, [
    world.admin.userId,
  ]);
  expect(await resolve(id, refund, platform.client({ token }))).toMatchObject({
    status: 403,
    body: { code: 'step_up_required' },
  });
});

test.each([
  ['payer', { resolution: 'keep_as_credit', note: 'x' }],
  ['payer', { resolution: 'refund', payer: { chapter: randomUUID() }, note: 'x' }],
  ['payer.chapter', { resolution: 'keep_as_credit', payer: {}, note: 'x' }],
  ['note', { resolution: 'refund', note: ' ' }],
  ['resolution', { resolution: 'keep', note: 'x' }],
  ['amount_cents', { ...refund, amount_cents: 1 }],
])('a decision with a wrong %s is refused: %j', async (field, body) => {
  const { id } = await aToldStray(700);
  expect(await resolve(id, body)).toMatchObject({ status: 400, body: { errors: { [field]: [expect.any(String)] } } });
});

test('a payer of another organization or chapter is not found', async () => {
  const { id } = await aToldStray(700);
  const other = await aWorld({ members: 1 });
  for (const payer of [
    { chapter: randomUUID() },
    { chapter: other.chapterId },
    { chapter: world.chapterId, membership: other.member.membershipId },
    { chapter: world.otherChapterId, membership: world.member.membershipId },
  ]) {
    expect(await resolve(id, keep(payer))).toMatchObject({ status: 404, body: { code: 'not_found' } });
  }
  expect(await read(id)).toMatchObject({ state: 'open' });
});
