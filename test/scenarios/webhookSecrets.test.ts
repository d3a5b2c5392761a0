/** A webhook's secret is valid while it is in use, and only for its processor. */
import { randomUUID } from 'node:crypto';
import StripeSdk from 'stripe';
import { stripeAddress } from '../../gateways/payments/stripe.js';
import type { Client } from '../support/api.js';
import { paidIntent, refundedCharge, sendEvent } from '../support/events.js';
import { expectSoundLedger } from '../support/ledger.js';
import { asOwner } from '../support/owner.js';
import { aProcessor, eventually, type Platform, startPlatform, WEBHOOK_SECRET } from '../support/platform.js';
import { listProcesses } from '../support/processList.js';
import { accountKeyOf } from '../support/walk/outsider.js';
import { anInvoice, aWorld, type World } from '../support/world.js';

let platform: Platform;
let world: World;
let processor: string;
let admin: Client;
/** Random secrets: a secret belongs to one organization. */
let secrets: { second: string; third: string };

beforeAll(async () => {
  platform = await startPlatform();
});
beforeEach(async () => {
  world = await aWorld({ members: 1 });
  secrets = { second: `whsec_second_${randomUUID()}`, third: `whsec_third_${randomUUID()}` };
  processor = await aProcessor(world);
  admin = platform.client(world.admin);
});
afterEach(expectSoundLedger);
afterAll(() => platform.close());

const invoice = (of = world) =>
  anInvoice(of, { chapterId: of.chapterId, membershipId: of.member.membershipId, cents: 5_000 });
const marks = (invoice_id: string, of = processor) => ({
  organization_id: world.organizationId,
  processor_id: of,
  invoice_id,
});
const own = (path: string) => `/api/organizations/${world.organizationId}/payment-processors/${processor}/${path}`;
const statusOf = async (id: string) =>
  (await asOwner<{ status: string }>('SELECT status FROM chapter_invoices WHERE id = $1', [id]))[0]?.status;
const becomes = (id: string, status: string) =>
  eventually(
    () => statusOf(id),
    (now) => now === status,
  );
const captures = (organizationId = world.organizationId) =>
  asOwner('SELECT intent_id, disposition FROM processor_captures WHERE organization_id = $1 ORDER BY id', [
    organizationId,
  ]);
const refused = { status: 400, body: { code: 'webhook_refused' } };

test('a replaced secret is valid until its date, and invalid once it was replaced twice', async () => {
  await admin.post(own('rotate/'), { webhook_secret: secrets.second });
  const first = await invoice();
  const send = (id: string, secret: string) =>
    sendEvent(platform, 'payment_intent.succeeded', { to: processor, secret, object: paidIntent(5_000, marks(id)) });
  expect(await send(first, WEBHOOK_SECRET)).toMatchObject({ status: 200 });
  await becomes(first, 'paid');

  await admin.post(own('rotate/'), { webhook_secret: secrets.third });
  expect(await send(await invoice(), WEBHOOK_SECRET)).toMatchObject(refused);
  expect(await send(await invoice(), secrets.second)).toMatchObject({ status: 200 });
  await asOwner('UPDATE org_payment_processors SET previous_webhook_secret_expires_at = now() WHERE id = $1', [
    processor,
  ]);
  expect(await send(await invoice(), secrets.second)).toMatchObject(refused);
  expect(await send(await invoice(), secrets.third)).toMatchObject({ status: 200 });
});

test('a leaked secret that was retired is invalid', async () => {
  await admin.post(own('rotate/'), { webhook_secret: secrets.second, retire_now: true });
  const object = paidIntent(5_000, marks(await invoice()));
  expect(await sendEvent(platform, 'payment_intent.succeeded', { to: processor, object })).toMatchObject(refused);
});

const gateway = () =>
  new StripeSdk(accountKeyOf(processor), {
    ...stripeAddress(platform.gateway.url),
    maxNetworkRetries: 0,
    telemetry: false,
  });

/** Creates an invoice that a charge of the gateway has paid. @returns the charge, as in its events */
async function aCharge() {
  const metadata = marks(await invoice());
  const { id } = await gateway().paymentIntents.create({
    amount: 5_000,
    currency: 'usd',
    metadata,
    automatic_payment_methods: { enabled: true, allow_redirects: 'never' },
    payment_method: 'pm_card_visa',
    confirm: true,
  });
  await becomes(metadata.invoice_id, 'paid');
  return { ...paidIntent(5_000, metadata, id), metadata };
}

const eventsOf = (intentId: string) =>
  asOwner<{ id: string; outcome: string | null; deliveries: number }>(
    `SELECT id, outcome, deliveries FROM webhook_events
      WHERE payload->>'intentId' = $1 AND type = 'charge.refunded' ORDER BY id`,
    [intentId],
  );

test('events of a disabled processor change nothing unless the gateway confirms a refund', async () => {
  const paid = await aCharge();
  await admin.post(own('rotate/'), { webhook_secret: secrets.second });
  await admin.post(own('disable/'));

  const target = await invoice();
  for (const secret of [WEBHOOK_SECRET, secrets.second]) {
    const forge = (type: string, object: Record<string, unknown>) =>
      sendEvent(platform, type, { to: processor, secret, object });
    expect(await forge('payment_intent.succeeded', paidIntent(5_000, marks(target)))).toEqual(
      await sendEvent(platform, 'payment_intent.succeeded', { to: processor, secret: 'whsec_wrong', object: paid }),
    );
    expect(await forge('charge.refunded', refundedCharge(paidIntent(5_000, marks(target))))).toMatchObject(refused);
    // The event of a known charge pays no other invoice.
    await forge('payment_intent.succeeded', paidIntent(5_000, marks(target), paid.id));
    // The gateway is asked whether a known charge was refunded.
    expect(await forge('charge.refunded', refundedCharge(paid))).toMatchObject({ status: 200 });
  }
  await eventually(
    () => eventsOf(paid.id),
    (events) => events.length > 0 && events.every(({ outcome }) => outcome !== null),
  );
  expect(await statusOf(paid.metadata.invoice_id)).toBe('paid');

  await gateway().refunds.create({ payment_intent: paid.id, amount: 2_000 });
  const sent = { to: processor, secret: secrets.second, object: refundedCharge(paid, 5_000) };
  expect(await sendEvent(platform, 'charge.refunded', sent)).toMatchObject({ status: 200 });
  await becomes(paid.metadata.invoice_id, 'partially_paid');
  expect(await statusOf(target)).toBe('open');
  expect(await captures()).toHaveLength(1);
});

test('a refund event of a disabled processor without a valid key waits visibly, and is applied once there is a key', async () => {
  const paid = await aCharge();
  await admin.post(own('disable/'));
  expect((await admin.get(own(''))).body).toMatchObject({ has_work_under_way: false });
  await platform.changeKey({ key: accountKeyOf(processor), revoked: true });
  const sent = { to: processor, object: refundedCharge(paid) };
  for (let time = 0; time < 3; time += 1) await sendEvent(platform, 'charge.refunded', sent);
  expect(await eventsOf(paid.id)).toMatchObject([{ outcome: null, deliveries: 3 }]);
  expect((await admin.get(own(''))).body).toMatchObject({ has_work_under_way: true });
  const [{ id: event } = { id: '' }] = await eventsOf(paid.id);
  const [process] = (await listProcesses(admin, `subject=${event}&kind=processor_event`)).results;
  await eventually(
    async () => (await admin.get(`/api/processes/${process.id}/`)).body,
    ({ last_failure, money_moved }) => last_failure?.code === 'provider_refused_key' && money_moved === 'unknown',
  );
  expect(await statusOf(paid.metadata.invoice_id)).toBe('paid');

  // A refund that needs no key here: on the account's own pages.
  const key = `sk_test_again_${world.slug.replaceAll('-', '_')}`;
  await platform.changeKey({ key, same_account_as: accountKeyOf(processor) });
  await new StripeSdk(key, { ...stripeAddress(platform.gateway.url), telemetry: false }).refunds.create({
    payment_intent: paid.id,
  });
  expect(await admin.post(own('rotate/'), { secret_key: key })).toMatchObject({
    status: 200,
    body: { is_active: false },
  });
  await admin.post(`/api/processes/${process.id}/retry/`);
  await becomes(paid.metadata.invoice_id, 'open');
});

test('secrets of a disabled processor can be replaced and retired, and it stays disabled', async () => {
  await admin.post(own('disable/'));
  const secret = secrets.second;
  expect(await admin.post(own('rotate/'), { webhook_secret: secret, retire_now: true })).toMatchObject({
    status: 200,
    body: { is_active: false, accepts_previous_webhook_secret: false },
  });
  const known = async () => {
    const { organizationId } = world;
    const row = await asOwner<{ id: string }>(
      `INSERT INTO processor_captures (organization_id, processor_id, intent_id, amount_cents, disposition)
       VALUES ($1, $2, 'pi_' || uuidv7(), 100, 'flagged') RETURNING intent_id AS id`,
      [organizationId, processor],
    );
    return refundedCharge(paidIntent(100, {}, row[0]?.id));
  };
  const object = await known();
  expect(await sendEvent(platform, 'charge.refunded', { to: processor, object })).toMatchObject(refused);
  expect(await sendEvent(platform, 'charge.refunded', { to: processor, secret, object })).toMatchObject({
    status: 200,
  });
});

test('an event of a page that was open when its processor was disabled is checked, and pays only its own invoice', async () => {
  const [mine, another] = [await invoice(), await invoice()];
  const { attempt, url } = (await platform.client(world.member).post(`/api/invoices/${mine}/pay/`)).body;
  await admin.post(own('disable/'));
  const send = (invoiceId: string) => {
    const object = paidIntent(5_000, { ...marks(invoiceId), attempt_id: attempt });
    return sendEvent(platform, 'payment_intent.succeeded', { to: processor, object });
  };
  expect(await send(another)).toMatchObject(refused);
  // The event is signed, but nothing was paid: the gateway says so.
  expect(await send(mine)).toMatchObject({ status: 200 });
  expect(await captures()).toEqual([]);
  expect(await statusOf(mine)).toBe('open');
  await fetch(url, {
    method: 'POST',
    redirect: 'manual',
    headers: { 'Content-Type': 'application/x-www-form-urlencoded' },
    body: 'payment_method=pm_card_visa',
  });
  expect(await send(mine)).toMatchObject({ status: 200 });
  await becomes(mine, 'paid');
  expect(await statusOf(another)).toBe('open');
});

test("each of two organizations on one account acknowledges the other's charges and records only its own", async () => {
  const neighbour = await aWorld({ members: 1 });
  const theirs = await aProcessor(neighbour);
  const mine = await invoice();
  const object = paidIntent(5_000, marks(mine));
  const their = paidIntent(5_000, { ...marks(randomUUID(), theirs), organization_id: neighbour.organizationId });
  for (const to of [processor, theirs]) {
    expect(await sendEvent(platform, 'payment_intent.succeeded', { to, object })).toMatchObject({ status: 200 });
  }
  expect(await sendEvent(platform, 'payment_intent.succeeded', { to: processor, object: their })).toMatchObject({
    status: 200,
  });
  expect(await sendEvent(platform, 'charge.refunded', { to: processor, object: refundedCharge(their) })).toMatchObject({
    status: 200,
  });
  await becomes(mine, 'paid');
  expect(await captures(neighbour.organizationId)).toEqual([]);
  expect(await captures()).toEqual([{ intent_id: object.id, disposition: 'recorded' }]);
});

test('an account that is connected again gets the events of charges from its earlier connection', async () => {
  const key = accountKeyOf(processor);
  const currentKey = `sk_test_kept_${world.slug.replaceAll('-', '_')}`;
  await platform.changeKey({ key: currentKey, same_account_as: key });
  await admin.post(own('rotate/'), { secret_key: currentKey });
  const paid = paidIntent(5_000, marks(await invoice()));
  await sendEvent(platform, 'payment_intent.succeeded', { to: processor, object: paid });
  await becomes(paid.metadata['invoice_id'] as string, 'paid');
  await admin.post(own('disable/'));
  const fresh = { secret_key: key, webhook_secret: secrets.third };
  const anew = { provider: 'stripe', label: 'Connected anew', ...fresh };
  const { body } = await admin.post(`/api/organizations/${world.organizationId}/payment-processors/`, anew);

  const sent = { to: body.id, secret: secrets.third, object: refundedCharge(paid) };
  expect(await sendEvent(platform, 'charge.refunded', sent)).toMatchObject({ status: 200 });
  await becomes(paid.metadata['invoice_id'] as string, 'open');
});

/** Connects the account again. The account of the first processor is unknown, as `aProcessor` left it. */
async function connectedAnew(secret: string): Promise<string> {
  const key = `sk_test_anew_${world.slug.replaceAll('-', '_')}`;
  await platform.changeKey({ key, same_account_as: accountKeyOf(processor) });
  await admin.post(own('disable/'));
  const fresh = { secret_key: key, webhook_secret: secret };
  const anew = { provider: 'stripe', label: 'Connected anew', ...fresh };
  return (await admin.post(`/api/organizations/${world.organizationId}/payment-processors/`, anew)).body.id;
}

test('events that name a processor with an unknown account are assigned by their charge', async () => {
  const paid = await aCharge();
  const secret = secrets.third;
  const to = await connectedAnew(secret);
  expect(await asOwner('SELECT gateway_account_id FROM org_payment_processors WHERE id = $1', [processor])).toEqual([
    { gateway_account_id: null },
  ]);
  await sendEvent(platform, 'charge.refunded', { to, secret, object: refundedCharge(paid, 1_000) });
  await becomes(paid.metadata.invoice_id, 'partially_paid');

  // The charge is unknown: the money is recorded at the account that signed the event.
  const stray = paidIntent(700, { ...paid.metadata, invoice_id: randomUUID() });
  await sendEvent(platform, 'payment_intent.succeeded', { to, secret, object: stray });
  const captureRows = await eventually(
    () => asOwner('SELECT processor_id, disposition FROM processor_captures WHERE intent_id = $1', [stray.id]),
    ({ length }) => length > 0,
  );
  expect(captureRows).toEqual([{ processor_id: to, disposition: 'flagged' }]);
});

test('the secret of a disabled processor is not accepted for the active processor of the same account', async () => {
  const secret = secrets.third;
  const active = await connectedAnew(secret);
  await asOwner(
    `UPDATE org_payment_processors p SET gateway_account_id = n.gateway_account_id, gateway_livemode = n.gateway_livemode
       FROM org_payment_processors n WHERE n.id = $2 AND p.id = $1`,
    [processor, active],
  );
  const object = paidIntent(5_000, marks(await invoice(), active));
  await sendEvent(platform, 'payment_intent.succeeded', { to: active, secret, object });
  await becomes(object.metadata['invoice_id'] as string, 'paid');
  const forged = { to: processor, object: refundedCharge(object) };
  expect(await sendEvent(platform, 'charge.refunded', forged)).toMatchObject({ status: 200 });
  const nameless = { to: processor, object: { ...refundedCharge(object), metadata: {} } };
  expect(await sendEvent(platform, 'charge.refunded', nameless)).toMatchObject(refused);
  expect(await eventsOf(object.id)).toEqual([]);
});
