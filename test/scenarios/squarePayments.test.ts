/** Cards at Square: money is held with the first step and taken with the second, and an answer of either may get lost. */
import { asOwner } from '../support/owner.js';
import { aPlatform, eventually } from '../support/platform.js';
import { aSquareProcessor, type Square, startSquare } from '../support/square.js';
import type { Client } from '../support/api.js';
import { anInvoice, aWorld, type World } from '../support/world.js';

const platform = aPlatform();
let square: Square;
let world: World;
let admin: Client;

beforeAll(async () => {
  square = await startSquare();
});
beforeEach(async () => {
  await square.order('POST', '/reset');
  world = await aWorld({ members: 1 });
  await aSquareProcessor(platform, square, world);
  admin = platform.client(world.admin);
});
afterAll(() => square.close());

const GOOD = 'cnon:card-nonce-ok';

async function aDraft(cents = 5_000) {
  const { chapterId, member } = world;
  const invoice = await anInvoice(world, { chapterId, membershipId: member.membershipId, cents });
  const allocations = [{ invoice, amount_cents: cents }];
  const draft = await admin.post('/api/billing/remittances/', { chapter: chapterId, allocations });
  expect(draft.status).toBe(201);
  const path = `/api/billing/remittances/${draft.body.id}/`;
  return {
    invoice,
    pay: (payment_method = GOOD) => admin.post(`${path}pay/`, { payment_method }),
    becomes: (status: string) =>
      eventually(
        async () => (await admin.get(path)).body,
        (one) => one.status === status,
      ),
  };
}
const lose = (operation: string, when: 'before' | 'after', times = 1) =>
  square.order('POST', '/faults', { kind: `drop_${when}_capture`, operation, times });
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
  expect(await square.moved()).toEqual({ captured: 5_000, refunded: 0 });
  expect(await balanceOf(invoice)).toBe(0);
});

test.each(['before', 'after'] as const)(
  'an answer of the first step that got lost %s it was carried out is found: one charge',
  async (when) => {
    const { pay, becomes } = await aDraft();
    await lose('create', when, 2);
    await pay();
    await becomes('settled');
    expect(await square.moved()).toEqual({ captured: 5_000, refunded: 0 });
  },
);

test.each(['before', 'after'] as const)(
  'an answer of the second step that got lost %s it was carried out is looked up: one charge',
  async (when) => {
    const { pay, becomes } = await aDraft();
    await lose('complete', when, 2);
    await pay();
    await becomes('settled');
    expect(await square.moved()).toEqual({ captured: 5_000, refunded: 0 });
  },
);

test('a refused card leaves a draft and nothing held, and another card pays', async () => {
  const { pay } = await aDraft();
  expect(await pay('cnon:card-nonce-declined')).toMatchObject({
    status: 400,
    body: { errors: { payment_method: [expect.any(String)] } },
  });
  expect(await square.moved()).toEqual({ captured: 0, refunded: 0 });
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

test('less than Square charges is no remittance', async () => {
  const { chapterId, member } = world;
  const invoice = await anInvoice(world, { chapterId, membershipId: member.membershipId, cents: 99 });
  const allocations = [{ invoice, amount_cents: 99 }];
  expect(await admin.post('/api/billing/remittances/', { chapter: chapterId, allocations })).toMatchObject({
    status: 400,
    body: { errors: { allocations: [expect.any(String)] } },
  });
});

test('a refund whose answer got lost goes back once, and is confirmed when Square has done it', async () => {
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
  expect(await square.moved()).toEqual({ captured: 5_000, refunded: 5_000 });
  expect(await balanceOf(invoice)).toBe(5_000);
});

test('a page is opened, paid, and its event settles the invoice', async () => {
  const { invoice } = await aDraft();
  const { body, status } = await platform.client(world.member).post(`/api/invoices/${invoice}/pay/`, {});
  expect([status, body]).toMatchObject([201, { url: expect.stringContaining('/pay/') }]);
  await fetch(body.url, { method: 'POST', body: new URLSearchParams({ source_id: GOOD }), redirect: 'manual' });
  await eventually(
    () => balanceOf(invoice),
    (due) => due === 0,
  );
  await handled();
  expect(await square.moved()).toEqual({ captured: 5_000, refunded: 0 });
});
