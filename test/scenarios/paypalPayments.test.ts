/** Cards at PayPal: money is held with the first step and taken with the second, and an answer of either may get lost. */
import { VAULT } from '../../development/standins/paypal/money.js';
import { asOwner } from '../support/owner.js';
import { aPlatform, eventually } from '../support/platform.js';
import { aPaypalProcessor, type Paypal, startPaypal } from '../support/paypal.js';
import type { Client } from '../support/api.js';
import { anInvoice, aWorld, type World } from '../support/world.js';

const platform = aPlatform();
let paypal: Paypal;
let world: World;
let admin: Client;
let processor: string;

beforeAll(async () => {
  paypal = await startPaypal();
});
beforeEach(async () => {
  await paypal.order('POST', '/reset');
  world = await aWorld({ members: 1 });
  processor = await aPaypalProcessor(platform, paypal, world);
  admin = platform.client(world.admin);
});
afterAll(() => paypal.close());

const GOOD = VAULT.good;

async function aDraft(cents = 5_000) {
  const { chapterId, member } = world;
  const invoice = await anInvoice(world, { chapterId, membershipId: member.membershipId, cents });
  const allocations = [{ invoice, amount_cents: cents }];
  const draft = await admin.post('/api/billing/remittances/', { chapter: chapterId, allocations });
  expect(draft.status).toBe(201);
  const path = `/api/billing/remittances/${draft.body.id}/`;
  return {
    invoice,
    pay: (payment_method: string = GOOD) => admin.post(`${path}pay/`, { payment_method }),
    becomes: (status: string) =>
      eventually(
        async () => (await admin.get(path)).body,
        (one) => one.status === status,
      ),
  };
}
const lose = (operation: string, when: 'before' | 'after', times = 1) =>
  paypal.order('POST', '/faults', { kind: `drop_${when}_capture`, operation, times });
const balanceOf = async (invoice: string) => (await admin.get(`/api/invoices/${invoice}/`)).body.balance_due_cents;
const handled = () =>
  eventually(
    () =>
      asOwner('SELECT id FROM webhook_events WHERE organization_id = $1 AND outcome IS NULL', [world.organizationId]),
    (waiting) => waiting.length === 0,
  );

test('a remittance is paid: held, then taken, once, and its own events change nothing more', async () => {
  const { invoice, pay } = await aDraft();
  expect(await pay()).toMatchObject({ status: 200, body: { status: 'settled' } });
  await handled();
  expect(await paypal.moved()).toEqual({ captured: 5_000, refunded: 0 });
  expect(await balanceOf(invoice)).toBe(0);
});

test.each(['before', 'after'] as const)(
  'an answer of the first step that got lost %s it was carried out is found: one charge',
  async (when) => {
    const { pay, becomes } = await aDraft();
    await lose('create', when, 2);
    await pay();
    await becomes('settled');
    expect(await paypal.moved()).toEqual({ captured: 5_000, refunded: 0 });
  },
);

test.each(['before', 'after'] as const)(
  'an answer of the second step that got lost %s it was carried out is looked up: one charge',
  async (when) => {
    const { pay, becomes } = await aDraft();
    await lose('capture', when, 2);
    await pay();
    await becomes('settled');
    expect(await paypal.moved()).toEqual({ captured: 5_000, refunded: 0 });
  },
);

test('a refused card leaves a draft and nothing held, and another card pays', async () => {
  const { pay } = await aDraft();
  expect(await pay(VAULT.declined)).toMatchObject({
    status: 400,
    body: { errors: { payment_method: [expect.any(String)] } },
  });
  expect(await paypal.moved()).toEqual({ captured: 0, refunded: 0 });
  expect(await pay()).toMatchObject({ status: 200, body: { status: 'settled' } });
});

test('a token of another provider is refused before anybody is asked', async () => {
  const { pay } = await aDraft();
  expect(await pay('pm_card_visa')).toMatchObject({
    status: 400,
    body: { errors: { payment_method: [expect.any(String)] } },
  });
  expect(await asOwner('SELECT id FROM payment_attempts WHERE organization_id = $1', [world.organizationId])).toEqual(
    [],
  );
});

test('a refund whose answer got lost goes back once, and is confirmed when PayPal has done it', async () => {
  const { invoice, pay } = await aDraft();
  await pay();
  await lose('refund', 'after', 2);
  const { status, body } = await admin.post(`/api/invoices/${invoice}/refund/`, { reason: 'The event was cancelled' });
  expect(status).toBe(201);
  await eventually(
    async () => (await admin.get(`/api/refunds/${body.refunds[0].id}/`)).body,
    (refund) => refund.status === 'succeeded',
    60,
  );
  await handled();
  expect(await paypal.moved()).toEqual({ captured: 5_000, refunded: 5_000 });
  expect(await balanceOf(invoice)).toBe(5_000);
});

test('money goes back in part and then what is left of it, each once, and never more', async () => {
  const { invoice, pay } = await aDraft();
  await pay();
  for (const [sent, back] of [
    [{ amount_cents: 1_500 }, 1_500],
    [{}, 5_000],
  ] as const) {
    const answer = await admin.post(`/api/invoices/${invoice}/refund/`, { reason: 'The event was cancelled', ...sent });
    expect(answer.status).toBe(201);
    await eventually(
      async () => (await admin.get(`/api/refunds/${answer.body.refunds[0].id}/`)).body,
      (refund) => refund.status === 'succeeded',
      60,
    );
    await handled();
    expect(await paypal.moved()).toEqual({ captured: 5_000, refunded: back });
    expect(await balanceOf(invoice)).toBe(back);
  }
  expect(await admin.post(`/api/invoices/${invoice}/refund/`, { reason: 'Once more' })).toMatchObject({ status: 409 });
});

const approve = (url: string, source: string = VAULT.good) =>
  fetch(url, { method: 'POST', body: new URLSearchParams({ source }), redirect: 'manual' });
const paymentsOf = (invoice: string) =>
  asOwner('SELECT status, amount_cents FROM payment_records WHERE invoice_id = $1', [invoice]);
const TAKEN_ONCE = [{ status: 'succeeded', amount_cents: 5_000 }];

test.each(['before', 'after'] as const)(
  'an approved page whose taking was not answered, lost %s it was carried out, is taken once',
  async (when) => {
    const { invoice } = await aDraft();
    const { body } = await platform.client(world.member).post(`/api/invoices/${invoice}/pay/`, {});
    await lose('order_capture', when);
    await approve(body.url);
    await eventually(
      () => balanceOf(invoice),
      (due) => due === 0,
      60,
    );
    await handled();
    expect(await paypal.moved()).toEqual({ captured: 5_000, refunded: 0 });
    expect(await paymentsOf(invoice)).toEqual(TAKEN_ONCE);
  },
);

test('whoever is refused on the page approves another card there, and that one is taken', async () => {
  const { invoice } = await aDraft();
  const { body } = await platform.client(world.member).post(`/api/invoices/${invoice}/pay/`, {});
  await approve(body.url, VAULT.declined);
  await eventually(
    async () => (await paypal.order('GET', '/orders')) as { status: string }[],
    ([order]) => order?.status === 'CREATED',
    60,
  );
  expect(await paypal.moved()).toEqual({ captured: 0, refunded: 0 });
  await approve(body.url);
  await eventually(
    () => balanceOf(invoice),
    (due) => due === 0,
    60,
  );
  expect(await paymentsOf(invoice)).toEqual(TAKEN_ONCE);
});

test('a page that its payer approves is taken at once, with nobody who looks, and told again it is taken once', async () => {
  const { invoice } = await aDraft();
  const payer = platform.client(world.member);
  const { body, status } = await payer.post(`/api/invoices/${invoice}/pay/`, {});
  expect([status, body]).toMatchObject([201, { url: expect.stringContaining('/checkoutnow?token=') }]);
  await approve(body.url);
  await eventually(
    () => balanceOf(invoice),
    (due) => due === 0,
  );
  await approve(body.url);
  await handled();
  expect(await paypal.moved()).toEqual({ captured: 5_000, refunded: 0 });
  expect(await asOwner('SELECT status FROM payment_attempts WHERE id = $1', [body.attempt])).toEqual([
    { status: 'succeeded' },
  ]);
});

test('what nobody at PayPal signed is refused, and while PayPal cannot be asked it is told to come again', async () => {
  const { invoice } = await aDraft();
  const { body } = await platform.client(world.member).post(`/api/invoices/${invoice}/pay/`, {});
  const order = new URL(body.url).searchParams.get('token') as string;
  const address = `${platform.api.url}/api/finances/webhooks/processor/?processor=${processor}`;
  const tell = (event: { body: string; headers: Record<string, string> }) =>
    fetch(address, { method: 'POST', ...event, headers: { 'content-type': 'application/json', ...event.headers } });
  const event = { id: 'WH-MADEUP1', event_type: 'CHECKOUT.ORDER.APPROVED', resource: { id: order } };
  expect((await tell({ body: JSON.stringify(event), headers: {} })).status).toBe(400);
  await approve(body.url);
  await eventually(
    () => balanceOf(invoice),
    (due) => due === 0,
  );
  const signedFor = async (webhook_id: string) =>
    (await paypal.order('POST', '/signed-events', { order, webhook_id, at: new Date().toISOString() })) as {
      body: string;
      headers: Record<string, string>;
    };
  expect((await tell(await signedFor('WH-of-somebody-else'))).status).toBe(400);
  const signed = await signedFor(`WH-${processor}`);
  const elsewhere = { ...signed.headers, 'paypal-cert-url': 'https://paypal.example/v1/notifications/certs/CERT-1' };
  expect((await tell({ ...signed, headers: elsewhere })).status).toBe(400);
  const tampered = { ...signed, body: signed.body.replace('5', '6') };
  expect((await tell(tampered)).status).toBe(400);
  // What its signature does not cover is not believed: the account is asked for the event.
  await lose('event', 'before', 9);
  expect((await tell(signed)).status).toBe(503);
  await paypal.order('DELETE', '/faults');
  const client = { client_id: `APaypal_${processor}`, secret: `EPaypal_${processor}` };
  await paypal.order('POST', '/clients', { ...client, revoked: true });
  expect((await tell(signed)).status).toBe(503);
  await paypal.order('POST', '/clients', { ...client, revoked: false });
  expect(await Promise.all([1, 2, 3].map(async () => (await tell(signed)).status))).toEqual([200, 200, 200]);
  await handled();
  expect(await paymentsOf(invoice)).toEqual(TAKEN_ONCE);
  expect(await paypal.moved()).toEqual({ captured: 5_000, refunded: 0 });
});
