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

const approve = (url: string) =>
  fetch(url, { method: 'POST', body: new URLSearchParams({ source: VAULT.good }), redirect: 'manual' });

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
  const signed = (await paypal.order('POST', '/signed-events', {
    order,
    webhook_id: `WH-${processor}`,
    at: new Date().toISOString(),
  })) as { body: string; headers: Record<string, string> };
  const tampered = { ...signed, body: signed.body.replace('5', '6') };
  expect((await tell(tampered)).status).toBe(400);
  // What its signature does not cover is not believed: the account is asked for the event.
  await lose('event', 'before', 9);
  expect((await tell(signed)).status).toBe(503);
  await paypal.order('DELETE', '/faults');
  expect((await tell(signed)).status).toBe(200);
  await handled();
  expect(await paypal.moved()).toEqual({ captured: 5_000, refunded: 0 });
});
