/** Money is refunded once and to its payer: on its charge, within the officer's limit, and as the gateway reports. */
import { setTimeout as sleep } from 'node:timers/promises';
import { MockActivityEnvironment } from '@temporalio/testing';
import StripeSdk from 'stripe';
import { followTerminalSettlement } from '../../activities/finances/terminalSettlement.js';
import { config } from '../../config.js';
import { stripeAddress } from '../../gateways/payments/stripe.js';
import { inTenant } from '../../models/database/tenancy.js';
import { followSettlement } from '../../models/finances/terminal-settlements/followSettlement.js';
import { eraseInOrganization } from '../../models/identity/deletion/eraseInOrganization.js';
import type { Client } from '../support/api.js';
import { recordHistory } from '../support/histories.js';
import { expectSoundLedger } from '../support/ledger.js';
import { asOwner } from '../support/owner.js';
import { aPlatform, aProcessor, eventually } from '../support/platform.js';
import { accountKeyOf } from '../support/walk/outsider.js';
import { aMember, anInvoice, aWorld, type Person, signIn, type World } from '../support/world.js';

const platform = aPlatform();
let world: World;
let other: Person;
let admin: Client;
let officer: Client;
let stripe: StripeSdk;

beforeEach(async () => {
  world = await aWorld({ members: 1 });
  other = await aMember(world.organizationId, world.chapterId);
  const processor = await aProcessor(world);
  await platform.hear(processor, accountKeyOf(processor), ['charge.refunded', 'refund.failed']);
  admin = platform.client(world.admin);
  officer = platform.client(world.officer);
  const address = stripeAddress(platform.gateway.url);
  stripe = new StripeSdk(accountKeyOf(processor), { ...address, maxNetworkRetries: 0, telemetry: false });
});
const patience = config.PAY_WAIT_SECONDS;
/** Shortens the wait: the outcome is not known soon. */
const impatient = () => Object.assign(config, { PAY_WAIT_SECONDS: 1 });
afterEach(async () => {
  Object.assign(config, { PAY_WAIT_SECONDS: patience });
  await platform.clearFaults();
  await eventually(
    () =>
      asOwner('SELECT id FROM webhook_events WHERE organization_id = $1 AND outcome IS NULL', [world.organizationId]),
    (waiting) => waiting.length === 0,
    // Events that collided are applied again after growing pauses.
    60,
  );
  await expectSoundLedger();
});

/** Invoices that one charge has paid; several are paid by a remittance. @returns their ids, and the charge */
async function paid(cents: number[], paymentMethod = 'pm_card_visa', members = [world.member, other]) {
  const invoices = await Promise.all(
    cents.map((each, n) =>
      anInvoice(world, {
        chapterId: world.chapterId,
        membershipId: (members[n % members.length] as Person).membershipId,
        cents: each,
      }),
    ),
  );
  const allocations = invoices.map((invoice, n) => ({ invoice, amount_cents: cents[n] as number }));
  const draft = await admin.post('/api/billing/remittances/', { chapter: world.chapterId, allocations });
  const settled = await admin.post(`/api/billing/remittances/${draft.body.id}/pay/`, { payment_method: paymentMethod });
  expect([settled.status, settled.body]).toMatchObject([200, { status: 'settled' }]);
  return { invoices, intent: settled.body.processor_payment_id as string };
}

const back = (invoice: string | undefined, body: object = {}, as = admin) =>
  as.post(`/api/invoices/${invoice}/refund/`, { reason: 'The event was cancelled', ...body });
/** Repeats the request after Retry-After, as a client does. */
async function backWhenThereIsRoom(...given: Parameters<typeof back>): ReturnType<typeof back> {
  const answer = await back(...given);
  if (answer.status !== 503) return answer;
  await sleep(Number(answer.headers.get('retry-after')) * 1000);
  return backWhenThereIsRoom(...given);
}
const read = async (invoice: string | undefined) => (await admin.get(`/api/invoices/${invoice}/`)).body;
const atGateway = async (intent: string) => (await stripe.refunds.list({ payment_intent: intent, limit: 100 })).data;
const becomes = (refund: string, status: string) =>
  eventually(
    async () => (await admin.get(`/api/refunds/${refund}/`)).body,
    (one) => one.status === status,
    60,
  );

test('a full refund is made once on its charge, and the invoice is due again', async () => {
  const { invoices, intent } = await paid([5_000]);
  const answer = await back(invoices[0]);
  expect([answer.status, answer.body]).toMatchObject([
    201,
    {
      refunds: [{ invoice: invoices[0], status: 'succeeded', amount_cents: 5_000, requested_by: world.admin.userId }],
      invoice: { status: 'open', balance_due_cents: 5_000, overdue_at: null },
    },
  ]);
  const [refund] = answer.body.refunds;
  expect(await atGateway(intent)).toMatchObject([{ id: refund.gateway_refund_id, amount: 5_000 }]);
  expect(await back(invoices[0])).toMatchObject({ status: 409, body: { code: 'nothing_to_refund' } });
  const [process] = (await admin.get(`/api/processes/?subject=${refund.id}`)).body.results;
  expect((await admin.get(`/api/processes/${process.id}/`)).body).toMatchObject({ kind: 'refund', money_moved: 'yes' });
  await recordHistory(`refund/${refund.id}`, 'refund-succeeded');
  expect((await admin.get(`/api/invoices/${invoices[0]}/refunds/`)).body).toMatchObject({
    count: 1,
    results: [refund],
  });
  const { body: explained } = await admin.get(`/api/invoices/${invoices[0]}/explain/`);
  const charged = { kind: 'payment', process: expect.stringMatching(/^remittance-payment\//), gateway_object: intent };
  expect(explained).toMatchObject({
    balance_cents: 5_000,
    entries: [
      { effect_cents: 5_000, running_balance_cents: 5_000, cause: { kind: 'line' } },
      { effect_cents: -5_000, running_balance_cents: 0, cause: charged },
      {
        effect_cents: 5_000,
        running_balance_cents: 5_000,
        actor: { id: world.admin.userId },
        cause: {
          kind: 'refund',
          id: refund.id,
          process: `refund/${refund.id}`,
          gateway_object: refund.gateway_refund_id,
        },
      },
    ],
  });
});

test('a refund can be cancelled and its reservation released only before the gateway was asked for it', async () => {
  const { invoices, intent } = await paid([5_000]);
  const key = accountKeyOf(
    (
      await asOwner<{ id: string }>('SELECT id FROM org_payment_processors WHERE organization_id = $1', [
        world.organizationId,
      ])
    )[0]?.id as string,
  );
  await platform.changeKey({ key, revoked: true });
  impatient();
  const { refunds } = (await back(invoices[0])).body;
  expect(refunds).toMatchObject([{ status: 'reserved' }]);
  const processOf = async (id: string) =>
    eventually(
      async () => (await admin.get(`/api/processes/?subject=${id}&kind=refund`)).body.results[0],
      (process) => process !== undefined,
    );
  const { id } = await processOf(refunds[0].id);
  const cancel = (process: string) => admin.post(`/api/processes/${process}/cancel/`);
  // While it tries with a refused key, the answer may be that money may have moved.
  await eventually(
    () => cancel(id),
    ({ status }) => status < 300,
  );
  expect(await becomes(refunds[0].id, 'failed')).toMatchObject({ failure_code: 'cancelled' });
  await eventually(
    async () => (await admin.get(`/api/processes/${id}/`)).body,
    ({ status }) => status === 'cancelled',
  );
  await recordHistory(`refund/${refunds[0].id}`, 'refund-cancelled');
  await platform.changeKey({ key, revoked: false });
  expect(await atGateway(intent)).toEqual([]);
  await platform.fault({ kind: 'hold', operation: 'refund' });
  const [again] = (await back(invoices[0])).body.refunds;
  expect(again.status).toBe('processing');
  expect((await cancel((await processOf(again.id)).id)).body).toMatchObject({ code: 'money_may_have_moved' });
  await platform.release();
  await becomes(again.id, 'succeeded');
  expect(await atGateway(intent)).toMatchObject([{ amount: 5_000 }]);
});

test('refunding one invoice of a remittance leaves the other invoices paid', async () => {
  const { invoices, intent } = await paid([2_000, 3_000, 1_000]);
  expect(await back(invoices[1], { amount_cents: 2_500 })).toMatchObject({
    status: 201,
    body: { refunds: [{ status: 'succeeded' }], invoice: { status: 'partially_paid', balance_due_cents: 2_500 } },
  });
  expect(await back(invoices[1], { amount_cents: 501 })).toMatchObject({
    status: 409,
    body: { code: 'refund_exceeds_refundable', detail: 'At most 500 cents can be refunded.' },
  });
  // A further refund is made at the gateway: its invoice is unknown until an administrator decides.
  await stripe.refunds.create({ payment_intent: intent, amount: 700 });
  const path = `/api/organizations/${world.organizationId}/money-cases/`;
  const { results } = await eventually(
    async () => (await admin.get(`${path}?status=open`)).body,
    ({ count }) => count === 1,
  );
  expect(results).toMatchObject([{ kind: 'refund_unknown', gateway_object: intent, amount_cents: 700 }]);
  expect((await read(invoices[0])).status).toBe('paid');
  const decision = { resolution: 'allocated', note: 'As the bank said.' };
  const share = { invoice: invoices[2], amount_cents: 700 };
  const resolved = await admin.post(`${path}${results[0].id}/resolve/`, { ...decision, allocations: [share] });
  expect(resolved).toMatchObject({ status: 200, body: { status: 'closed' } });
  const owed = await Promise.all(invoices.map(async (id) => (await read(id)).balance_due_cents));
  expect(owed).toEqual([0, 2_500, 700]);
});

test('a refund with a waiver leaves nothing due', async () => {
  const { invoices } = await paid([5_000]);
  const before = await read(invoices[0]);
  const { body } = await back(invoices[0], { amount_cents: 2_000, waive: true });
  expect(body.invoice).toMatchObject({
    status: 'paid',
    balance_due_cents: 0,
    due_date: before.due_date,
    discounts: [{ category: 'waiver', amount_cents: 2_000 }],
  });
  const why = async () => (await admin.get(`/api/invoices/${invoices[0]}/explain/`)).body.entries;
  const wentBack = { actor: { id: world.admin.userId }, cause: { process: `refund/${body.refunds[0].id}` } };
  expect((await why()).slice(2)).toMatchObject([
    { ...wentBack, effect_cents: 2_000, cause: { ...wentBack.cause, kind: 'refund' } },
    { ...wentBack, effect_cents: -2_000, cause: { ...wentBack.cause, kind: 'discount' } },
  ]);
  // The bank returns the refund days later: the invoice is paid again, and the waiver is removed.
  await platform.concludeRefund({ refund: body.refunds[0].gateway_refund_id, status: 'failed' });
  await becomes(body.refunds[0].id, 'failed');
  expect(await read(invoices[0])).toMatchObject({
    status: 'paid',
    balance_due_cents: 0,
    paid_cents: 5_000,
    discount_cents: 0,
  });
});

test('twenty simultaneous refunds of one charge refund no more than the charge', async () => {
  const { invoices, intent } = await paid([5_000, 3_000]);
  const answers = await Promise.all(
    Array.from({ length: 20 }, (_, n) => backWhenThereIsRoom(invoices[n % 2], { amount_cents: 1_000 })),
  );
  expect(answers.filter(({ status }) => status === 201)).toHaveLength(8);
  for (const { status, body } of answers.filter((one) => one.status !== 201))
    expect([status, body.code]).toEqual([
      409,
      expect.stringMatching(/^(nothing_to_refund|refund_exceeds_refundable)$/),
    ]);
  const ids = answers.flatMap(({ body }) => (body.refunds ?? []) as { id: string }[]);
  for (const { id } of ids) await becomes(id, 'succeeded');
  expect((await atGateway(intent)).reduce((sum, { amount }) => sum + amount, 0)).toBe(8_000);
});

test.each(['drop_before_capture', 'drop_after_capture', 'error_after_capture'])(
  'a refund whose answer is lost (%s) is looked up and made once',
  async (kind) => {
    const { invoices, intent } = await paid([5_000]);
    await platform.fault({ kind, operation: 'refund', times: 2 });
    const { status, body } = await back(invoices[0], { amount_cents: 1_500 });
    expect([status, body.refunds[0].status]).toEqual([201, expect.stringMatching(/^(processing|succeeded)$/)]);
    await becomes(body.refunds[0].id, 'succeeded');
    expect((await atGateway(intent)).map(({ amount }) => amount)).toEqual([1_500]);
    expect(await read(invoices[0])).toMatchObject({ balance_due_cents: 1_500 });
  },
);

test('a refund that takes the bank days is reserved until its outcome is known', async () => {
  const { invoices, intent } = await paid([5_000], 'pm_card_pendingRefund');
  impatient();
  const { status, body } = await back(invoices[0], { amount_cents: 4_000 });
  expect([status, body]).toMatchObject([201, { refunds: [{ amount_cents: 4_000 }], invoice: { status: 'paid' } }]);
  await becomes(body.refunds[0].id, 'processing');
  expect(await back(invoices[0], { amount_cents: 1_001 })).toMatchObject({ status: 409 });
  const [made] = await atGateway(intent);
  await platform.concludeRefund({ refund: made?.id as string, status: 'failed' });
  await becomes(body.refunds[0].id, 'failed');
  expect(await read(invoices[0])).toMatchObject({ status: 'paid', balance_due_cents: 0 });
  // The reservation is released.
  expect(await back(invoices[0], { amount_cents: 5_000 })).toMatchObject({ status: 201 });
});

test('a refund that the gateway refuses releases its reservation', async () => {
  const { invoices, intent } = await paid([5_000]);
  // Most of it is refunded at the gateway at the same moment, and that event may not have arrived yet.
  await stripe.refunds.create({ payment_intent: intent, amount: 4_500 });
  const { body } = await back(invoices[0], { amount_cents: 1_000 });
  if (body.refunds) await becomes(body.refunds[0].id, 'failed');
  else expect(body.code).toBe('refund_exceeds_refundable');
  await eventually(
    () => read(invoices[0]),
    ({ balance_due_cents }) => balance_due_cents === 4_500,
  );
});

test('an officer refunds up to the limit, and splitting a refund does not evade it', async () => {
  const { invoices } = await paid([9_000, 4_000]);
  expect(await back(invoices[0], { amount_cents: 3_000 }, officer)).toMatchObject({ status: 201 });
  expect(await back(invoices[0], { amount_cents: 1_000, waive: true }, officer)).toMatchObject({ status: 403 });
  const both = await Promise.all([
    back(invoices[0], { amount_cents: 1_500 }, officer),
    back(invoices[0], { amount_cents: 1_500 }, officer),
  ]);
  expect(both.map(({ status }) => status).toSorted((one, two) => one - two)).toEqual([201, 202]);
  expect(both.find(({ status }) => status === 202)?.body).toMatchObject({ status: 'pending', amount_cents: 1_500 });
  expect(await back(invoices[0], { amount_cents: 501 }, officer)).toMatchObject({
    status: 409,
    body: { code: 'refund_request_pending' },
  });
  // Another payer has a limit of their own.
  expect(await back(invoices[1], {}, officer)).toMatchObject({ status: 201 });
});

test('an administrator decides a refund request of an officer, and it reserves nothing until then', async () => {
  const { invoices, intent } = await paid([12_000]);
  const pendingRequest = await back(invoices[0], { amount_cents: 8_000 }, officer);
  expect(pendingRequest.status).toBe(202);
  expect(await atGateway(intent)).toEqual([]);
  const requests = `/api/organizations/${world.organizationId}/refund-requests/`;
  const review = (body: object, as = admin) => as.post(`${requests}${pendingRequest.body.id}/review/`, body);
  expect((await officer.get(requests)).body).toMatchObject({ count: 1, results: [{ id: pendingRequest.body.id }] });
  expect((await admin.get(`/api/organizations/${world.organizationId}/approvals/`)).body).toMatchObject([
    { kind: 'refund', count: 1 },
  ]);
  expect(await review({ decision: 'approve' }, officer)).toMatchObject({ status: 403 });
  expect(await review({ decision: 'refuse' })).toMatchObject({
    status: 400,
    body: { errors: { notes: ['Give a reason.'] } },
  });
  // An administrator refunds most of it in the meantime: the approval checks again.
  expect(await back(invoices[0], { amount_cents: 5_000 })).toMatchObject({ status: 201 });
  expect(await review({ decision: 'approve' })).toMatchObject({
    status: 409,
    body: { code: 'refund_exceeds_refundable' },
  });
  const refused = await review({ decision: 'refuse', notes: 'Most of it went back.' });
  expect(refused).toMatchObject({ status: 200, body: { status: 'refused', review_notes: 'Most of it went back.' } });
  expect(await review({ decision: 'approve' })).toMatchObject({ status: 409, body: { code: 'request_closed' } });

  const again = await back(invoices[0], { amount_cents: 7_000 }, officer);
  const decide = () => admin.post(`${requests}${again.body.id}/review/`, { decision: 'approve' });
  const decided = await Promise.all([decide(), decide()]);
  expect(decided.map(({ status }) => status).toSorted((one, two) => one - two)).toEqual([200, 409]);
  const { results } = (await admin.get(`/api/invoices/${invoices[0]}/refunds/`)).body;
  expect(results).toMatchObject([{ amount_cents: 5_000 }, { amount_cents: 7_000, request: again.body.id }]);
  await becomes(results[1].id, 'succeeded');
});

test("an administrator decides refunds of an officer's own invoice and those whose amounts are hidden", async () => {
  const { invoices } = await paid([1_000, 1_000], undefined, [world.officer, world.member]);
  expect(await back(invoices[0], {}, officer)).toMatchObject({ status: 202, body: { amount_cents: 1_000 } });
  await asOwner(
    `INSERT INTO org_dues_settings (organization_id, officers_see_amounts) VALUES ($1, false)
     ON CONFLICT (organization_id) DO UPDATE SET officers_see_amounts = false`,
    [world.organizationId],
  );
  expect(await back(invoices[1], { amount_cents: 1 }, officer)).toMatchObject({
    status: 400,
    body: { errors: { amount_cents: [expect.anything()] } },
  });
  const pendingRequest = await back(invoices[1], {}, officer);
  expect(pendingRequest).toMatchObject({ status: 202, body: { amount_cents: null } });
  const mine = `/api/organizations/${world.organizationId}/refund-requests/${pendingRequest.body.id}/`;
  expect(await platform.client(other).get(mine)).toMatchObject({ status: 404 });
  expect(await officer.post(`${mine}withdraw/`)).toMatchObject({ status: 200, body: { status: 'withdrawn' } });
  expect(await officer.post(`${mine}withdraw/`)).toMatchObject({ status: 409, body: { code: 'request_closed' } });
  // The next one is another request.
  expect(await back(invoices[1], {}, officer)).toMatchObject({ status: 202 });
});

test('a refund takes the newest payments first, manual ones as manual refunds and card payments on their charge', async () => {
  const { invoices } = await paid([5_000]);
  const id = invoices[0] as string;
  await admin.post(`/api/invoices/${id}/adjust/`, { kind: 'fee', amount_cents: 2_000, reason: 'Late' });
  await admin.post(`/api/invoices/${id}/payments/`, {
    amount_cents: 2_500,
    method: 'cash',
    reference: 'Receipt 4',
    received_on: '2026-01-05',
    idempotency_key: id,
  });
  // Five hundred of it became credit, which is refunded as credit.
  expect(await back(id)).toMatchObject({ status: 400, body: { errors: { reference: [expect.anything()] } } });
  const { status, body } = await back(id, { amount_cents: 3_000, reference: 'Cash, signed for' });
  expect([status, body]).toMatchObject([
    201,
    {
      refunds: [
        { amount_cents: 2_000, status: 'succeeded', gateway_refund_id: null, reference: 'Cash, signed for' },
        { amount_cents: 1_000, status: 'succeeded', gateway_refund_id: expect.any(String) },
      ],
      invoice: { balance_due_cents: 3_000, overpaid_cents: 500 },
    },
  ]);
});

const sum = (amounts: number[]) => amounts.reduce((total, each) => total + each, 0);
const credit = (rest = '', member: string | null = world.member.membershipId) =>
  `/api/hq/dues/${world.organizationId}/chapters/${world.chapterId}/credit/${rest}${member ? `?member=${member}` : ''}`;
const creditBack = (body: object = {}, rest = 'refund/') =>
  admin.post(credit(rest), { reason: 'She has left', ...body });
/** Invoices that were paid by a charge each, and voided: their money is credit. */
async function becameCredit(cents: number[], paymentMethod?: string): Promise<string[]> {
  const intents: string[] = [];
  for (const each of cents) {
    const { invoices, intent } = await paid([each], paymentMethod);
    expect((await admin.post(`/api/invoices/${invoices[0]}/void/`, { reason: 'A mistake' })).status).toBe(200);
    intents.push(intent);
  }
  return intents;
}

test('credit is refunded on the charges that it came from, the newest first', async () => {
  const [older, newer] = await becameCredit([3_000, 2_000]);
  const { status, body } = await creditBack({ amount_cents: 2_500 });
  expect([status, body]).toMatchObject([
    201,
    {
      refunds: [
        { amount_cents: 2_000, status: 'succeeded', of_credit: true },
        { amount_cents: 500, status: 'succeeded' },
      ],
      available_cents: 2_500,
      reserved_cents: 0,
    },
  ]);
  expect((await atGateway(newer as string)).map(({ amount }) => amount)).toEqual([2_000]);
  expect((await atGateway(older as string)).map(({ amount }) => amount)).toEqual([500]);
  expect(await creditBack({ amount_cents: 2_501 })).toMatchObject({
    status: 409,
    body: { code: 'credit_not_available' },
  });
  expect((await creditBack()).body).toMatchObject({ available_cents: 0, reserved_cents: 0 });
  expect(await creditBack()).toMatchObject({ status: 409, body: { code: 'credit_not_available' } });
  expect(await officer.post(credit('refund/'), { reason: 'She has left' })).toMatchObject({ status: 403 });
});

test('credit with a pending refund cannot be spent, and is available again when the bank returns it', async () => {
  const [intent] = await becameCredit([4_000], 'pm_card_pendingRefund');
  impatient();
  const { body } = await creditBack({ amount_cents: 3_000 });
  expect(body).toMatchObject({ refunds: [{ status: 'processing' }], available_cents: 1_000, reserved_cents: 3_000 });
  expect(await creditBack()).toMatchObject({ status: 409, body: { code: 'credit_refund_in_progress' } });
  const open = await anInvoice(world, {
    chapterId: world.chapterId,
    membershipId: world.member.membershipId,
    cents: 4_000,
  });
  const spend = (amount_cents: number) =>
    admin.post(`/api/invoices/${open}/adjust/`, { kind: 'credit', amount_cents, reason: 'She asks for it' });
  expect(await spend(1_001)).toMatchObject({ status: 409, body: { code: 'credit_not_available' } });
  expect(await spend(1_000)).toMatchObject({ status: 201 });
  const [made] = await atGateway(intent as string);
  await platform.concludeRefund({ refund: made?.id as string, status: 'failed' });
  await becomes(body.refunds[0].id, 'failed');
  expect((await admin.get(credit())).body).toMatchObject({ available_cents: 3_000, reserved_cents: 0 });
});

test('a refund of credit that the bank returns after its success is credit again', async () => {
  await becameCredit([4_000]);
  const { body } = await creditBack();
  expect(body).toMatchObject({ refunds: [{ status: 'succeeded' }], available_cents: 0 });
  await platform.concludeRefund({ refund: body.refunds[0].gateway_refund_id, status: 'failed' });
  await becomes(body.refunds[0].id, 'failed');
  expect((await admin.get(credit())).body).toMatchObject({ available_cents: 4_000 });
});

test('credit that came from a manual payment is refunded manually', async () => {
  const invoice = await anInvoice(world, {
    chapterId: world.chapterId,
    membershipId: world.member.membershipId,
    cents: 100,
  });
  await admin.post(`/api/invoices/${invoice}/payments/`, {
    amount_cents: 900,
    method: 'cash',
    reference: 'Receipt 9',
    received_on: '2026-01-05',
    idempotency_key: invoice,
  });
  expect(await creditBack()).toMatchObject({ status: 409, body: { code: 'credit_not_available' } });
  const byHand = { amount_cents: 800, reference: 'Check 12', note: 'Sent by post', reason: undefined };
  const both = await Promise.all([creditBack(byHand, 'refund/manual/'), creditBack(byHand, 'refund/manual/')]);
  expect(both.map(({ status }) => status).toSorted((one, two) => one - two)).toEqual([201, 409]);
  expect((await admin.get(credit())).body).toMatchObject({
    available_cents: 0,
    results: [{ kind: 'refunded', amount_cents: 800, reason: 'Sent by post (Check 12)' }, { kind: 'issued' }],
  });
});

test('deleting an account pays open invoices from credit and refunds the rest, once no refund is pending', async () => {
  const { userId, membershipId } = world.member;
  const leave = () => inTenant(world.organizationId, () => eraseInOrganization(userId));
  const [intent] = await becameCredit([6_000]);
  const owed = { chapterId: world.chapterId, membershipId };
  const [first, second] = [
    await anInvoice(world, { ...owed, cents: 2_000 }),
    await anInvoice(world, { ...owed, cents: 3_000 }),
  ];
  const [bank] = await becameCredit([500], 'pm_card_pendingRefund');
  impatient();
  const { body } = await creditBack({ amount_cents: 500 });
  await expect(leave()).rejects.toThrow('pending');
  const [made] = await atGateway(bank as string);
  await platform.concludeRefund({ refund: made?.id as string, status: 'succeeded' });
  await becomes(body.refunds[0].id, 'succeeded');

  await leave();
  const paidFromCredit = { status: 'paid', payer_name: expect.stringContaining('First') };
  expect([await read(first), await read(second)]).toMatchObject([paidFromCredit, paidFromCredit]);
  const refundsMade = await eventually(
    () => atGateway(intent as string),
    ({ length }) => length > 0,
    60,
  );
  expect(refundsMade.map(({ amount }) => amount)).toEqual([1_000]);
  await eventually(
    async () => (await admin.get(credit())).body,
    ({ reserved_cents }) => reserved_cents === 0,
    60,
  );
  await leave();
  expect(await atGateway(intent as string)).toHaveLength(1);
  expect((await admin.get(credit())).body).toMatchObject({ available_cents: 0, shortfall_cents: 0 });
});

describe('ended memberships', () => {
  const becomesA = (status: string) =>
    admin.patch(`/api/memberships/${world.member.membershipId}/`, { status, reason: 'The term is over' });
  const settlement = () =>
    eventually(
      () =>
        asOwner<Row>('SELECT * FROM terminal_settlements WHERE membership_id = $1 ORDER BY id', [
          world.member.membershipId,
        ]),
      (found) => found.length > 0 && found.every(({ finished_at }) => finished_at !== null),
      60,
    );
  interface Row {
    id: string;
    status: string;
    finished_at: Date | null;
  }

  test('the end of a membership pays open invoices from its credit and refunds the rest on its charges', async () => {
    const [older, newer] = await becameCredit([3_000, 2_000]);
    const due = await anInvoice(world, {
      chapterId: world.chapterId,
      membershipId: world.member.membershipId,
      cents: 1_000,
    });
    expect((await becomesA('alumni')).status).toBe(200);
    expect(await settlement()).toMatchObject([{ status: 'refunded', requested_by: world.admin.userId }]);
    expect(await read(due)).toMatchObject({ status: 'paid', credit_cents: 1_000 });
    expect((await atGateway(newer as string)).map(({ amount }) => amount)).toEqual([2_000]);
    expect((await atGateway(older as string)).map(({ amount }) => amount)).toEqual([2_000]);
    expect((await admin.get(credit())).body).toMatchObject({ available_cents: 0, reserved_cents: 0 });
    const [{ id }] = (await settlement()) as [Row];
    await recordHistory(`terminal-settlement/${id}`, 'terminalSettlement-refunded');
    // Temporal's list of processes follows the end of a process with a delay.
    await eventually(
      async () => (await admin.get(`/api/processes/?subject=${id}`)).body.results,
      ([process]) => process.kind === 'terminal_settlement' && process.status === 'completed',
    );
    const follow = () =>
      new MockActivityEnvironment().run(followTerminalSettlement, {
        organizationId: world.organizationId,
        settlementId: id,
      });
    expect([await follow(), await follow()]).toEqual([{ over: 'refunded' }, { over: 'refunded' }]);
    expect(await atGateway(newer as string)).toHaveLength(1);
  });

  test('the end of a membership refunds credit once, also with simultaneous refunds and status changes', async () => {
    const intents = await becameCredit([3_000, 2_000, 1_000]);
    const all = [
      creditBack({ amount_cents: 1_500 }),
      becomesA('alumni'),
      creditBack(),
      becomesA('active_alumni'),
      becomesA('lifetime_alumni'),
      creditBack({ amount_cents: 4_000 }),
    ];
    for (const { status } of await Promise.all(all)) expect([200, 201, 409]).toContain(status);
    await settlement();
    await eventually(
      async () => (await admin.get(credit())).body,
      ({ reserved_cents }) => reserved_cents === 0,
      60,
    );
    expect((await admin.get(credit())).body).toMatchObject({ available_cents: 0, shortfall_cents: 0 });
    const refundedCents = await Promise.all(
      intents.map(async (intent) => sum((await atGateway(intent)).map(({ amount }) => amount))),
    );
    expect(refundedCents).toEqual([3_000, 2_000, 1_000]);
  });

  test('a membership that is reactivated before its credit was refunded keeps the credit', async () => {
    Object.assign(config, { CREDIT_REFUND_DELAY_MINUTES: 60 });
    try {
      const [intent] = await becameCredit([3_000]);
      await becomesA('alumni');
      expect((await becomesA('undergrad')).status).toBe(200);
      const [{ id }] = (await asOwner<Row>('SELECT id FROM terminal_settlements WHERE membership_id = $1', [
        world.member.membershipId,
      ])) as [Row];
      const step = await inTenant(world.organizationId, () => followSettlement(id));
      expect(step).toEqual({ over: 'cancelled' });
      expect(await atGateway(intent as string)).toEqual([]);
      expect((await admin.get(credit())).body).toMatchObject({ available_cents: 3_000 });

      // An administrator can keep it as well.
      await becomesA('alumni');
      const [again] = await asOwner<Row>(
        "SELECT id FROM terminal_settlements WHERE membership_id = $1 AND status = 'waiting'",
        [world.member.membershipId],
      );
      const [process] = (await admin.get(`/api/processes/?subject=${again?.id}`)).body.results;
      // A process that begins just then would find the settlement cancelled in its row, and end before it is asked to.
      await eventually(
        async () => (await admin.get(`/api/processes/${process.id}/`)).body,
        ({ waiting_for }) => waiting_for?.code === 'time',
      );
      expect((await admin.post(`/api/processes/${process.id}/cancel/`)).status).toBe(200);
      expect((await settlement()).map(({ status }) => status)).toEqual(['cancelled', 'cancelled']);
      expect((await admin.get(credit())).body).toMatchObject({ available_cents: 3_000 });
    } finally {
      Object.assign(config, { CREDIT_REFUND_DELAY_MINUTES: 0 });
    }
  });

  test('the end of a membership leaves credit of manual payments to the administrators, and inactivity changes nothing', async () => {
    const { invoices } = await paid([1_000]);
    await admin.post(`/api/invoices/${invoices[0]}/refund/`, { reason: 'It is paid in cash' });
    await admin.post(`/api/invoices/${invoices[0]}/payments/`, {
      amount_cents: 1_500,
      method: 'cash',
      reference: 'No. 9',
      received_on: '2026-01-15',
      idempotency_key: crypto.randomUUID(),
    });
    expect((await becomesA('inactive')).status).toBe(200);
    expect(
      await asOwner('SELECT FROM terminal_settlements WHERE membership_id = $1', [world.member.membershipId]),
    ).toEqual([]);
    expect((await becomesA('disaffiliated')).status).toBe(200);
    const [{ id, status }] = (await settlement()) as [Row];
    expect(status).toBe('kept');
    await recordHistory(`terminal-settlement/${id}`, 'terminalSettlement-kept');
    expect((await admin.get(credit())).body).toMatchObject({ available_cents: 500 });
    const listed = await eventually(
      async () => (await admin.get('/api/notifications/')).body.results as { title: string }[],
      (all) => all.some(({ title }) => title === 'Credit of a member who has left'),
    );
    expect(JSON.stringify(listed)).toContain('5.00');
    const waits = async () =>
      (await admin.get(`/api/organizations/${world.organizationId}/money-cases/?kind=manual_refund_due`)).body.results;
    expect(await waits()).toMatchObject([{ status: 'open', settlement: id, amount_cents: 500 }]);
    const byHand = (cents: number) =>
      admin.post(credit('refund/manual/'), { amount_cents: cents, reference: 'No. 10', note: 'In cash' });
    await byHand(200);
    expect(await waits()).toMatchObject([{ status: 'open', amount_cents: 300 }]);
    await byHand(300);
    expect(await waits()).toMatchObject([{ status: 'closed', resolution: 'agreed', closed_by: null }]);
  });
});

test('an admin of another organization, another officer and a member cannot refund an invoice', async () => {
  const elsewhere = await aWorld({ members: 1 });
  const { invoices } = await paid([1_000]);
  const stranger = platform.client({
    ...elsewhere.admin,
    token: await signIn(elsewhere.admin.userId, elsewhere.organizationId),
  });
  expect(await back(invoices[0], {}, stranger)).toMatchObject({ status: 404 });
  expect(await back(invoices[0], {}, platform.client(world.otherOfficer))).toMatchObject({ status: 404 });
  expect(await back(invoices[0], {}, platform.client(world.member))).toMatchObject({ status: 403 });
});
