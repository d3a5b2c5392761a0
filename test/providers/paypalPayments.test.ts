/** Cards at PayPal: the first step authorizes and the second captures, and an answer of either may be lost. */
import { VAULT } from '../../development/standins/paypal/money.js';
import { asOwner } from '../support/owner.js';
import { eventually } from '../support/platform.js';
import { aPaypalProcessor, startPaypal } from '../support/paypal.js';
import { heldCards } from './heldCards.support.js';

const { stage, aDraft, lose, balanceOf, untilPaid, handled, openPage, untilRefunded } = heldCards({
  name: 'PayPal',
  start: startPaypal,
  connect: aPaypalProcessor,
  cards: VAULT,
  secondStep: 'capture',
});

test('partial refunds at PayPal are made once each and never exceed the payment', async () => {
  const { invoice, pay } = await aDraft();
  await pay();
  for (const [sent, back] of [
    [{ amount_cents: 1_500 }, 1_500],
    [{}, 5_000],
  ] as const) {
    const answer = await stage.admin.post(`/api/invoices/${invoice}/refund/`, {
      reason: 'The event was cancelled',
      ...sent,
    });
    expect(answer.status).toBe(201);
    await untilRefunded(answer.body.refunds[0].id);
    await handled();
    expect(await stage.standin.moved()).toEqual({ captured: 5_000, refunded: back });
    expect(await balanceOf(invoice)).toBe(back);
  }
  expect(await stage.admin.post(`/api/invoices/${invoice}/refund/`, { reason: 'Once more' })).toMatchObject({
    status: 409,
  });
});

test('a claim that refunds a part to the payer is counted once, though PayPal reports it as a refund as well', async () => {
  const { invoice, pay } = await aDraft();
  await pay();
  const [order] = (await stage.standin.order('GET', '/orders')) as { id: string }[];
  const { id: dispute } = (await stage.standin.order('POST', '/claims', { charge: order?.id })) as { id: string };
  await stage.standin.order('POST', '/claims/end', { dispute, amount_cents: 2_000, fee_cents: 70 });
  const disputes = () =>
    asOwner('SELECT withdrawn_cents, fee_cents, status FROM payment_disputes WHERE organization_id = $1', [
      stage.world.organizationId,
    ]);
  await eventually(disputes, ([one]) => one?.['status'] === 'lost', 60);
  await handled();
  expect(await disputes()).toEqual([{ withdrawn_cents: 2_000, fee_cents: -70, status: 'lost' }]);
  const charge = 'SELECT refunded_cents, disputed_cents FROM processor_captures WHERE organization_id = $1';
  expect(await asOwner(charge, [stage.world.organizationId])).toEqual([
    { refunded_cents: 2_000, disputed_cents: 2_000 },
  ]);
  expect(await balanceOf(invoice)).toBe(2_000);
});

const approve = (url: string, source: string = VAULT.good) =>
  fetch(url, { method: 'POST', body: new URLSearchParams({ source }), redirect: 'manual' });
const paymentsOf = (invoice: string) =>
  asOwner('SELECT status, amount_cents FROM payment_records WHERE invoice_id = $1', [invoice]);
const TAKEN_ONCE = [{ status: 'succeeded', amount_cents: 5_000 }];

test.each(['before', 'after'] as const)(
  'an approved page is captured once although the answer of the capture is lost %s it was carried out',
  async (when) => {
    const { invoice } = await aDraft();
    const { body } = await openPage(invoice);
    await lose('order_capture', when);
    await approve(body.url);
    await untilPaid(invoice, 60);
    await handled();
    expect(await stage.standin.moved()).toEqual({ captured: 5_000, refunded: 0 });
    expect(await paymentsOf(invoice)).toEqual(TAKEN_ONCE);
  },
);

test('a payer whose card is refused on the page approves another card there, and that one is captured', async () => {
  const { invoice } = await aDraft();
  const { body } = await openPage(invoice);
  await approve(body.url, VAULT.declined);
  await eventually(
    async () => (await stage.standin.order('GET', '/orders')) as { status: string }[],
    ([order]) => order?.status === 'CREATED',
    60,
  );
  expect(await stage.standin.moved()).toEqual({ captured: 0, refunded: 0 });
  await approve(body.url);
  await untilPaid(invoice, 60);
  expect(await paymentsOf(invoice)).toEqual(TAKEN_ONCE);
});

test('an approved page is captured at once without polling, and once when PayPal repeats the event', async () => {
  const { invoice } = await aDraft();
  const { body, status } = await openPage(invoice);
  expect([status, body]).toMatchObject([201, { url: expect.stringContaining('/checkoutnow?token=') }]);
  await approve(body.url);
  await untilPaid(invoice);
  await approve(body.url);
  await handled();
  expect(await stage.standin.moved()).toEqual({ captured: 5_000, refunded: 0 });
  expect(await asOwner('SELECT status FROM payment_attempts WHERE id = $1', [body.attempt])).toEqual([
    { status: 'succeeded' },
  ]);
});

test("an event without PayPal's signature is refused, and one that cannot be verified during an outage gets a retry answer", async () => {
  const { invoice } = await aDraft();
  const { body } = await openPage(invoice);
  const order = new URL(body.url).searchParams.get('token') as string;
  const address = `${stage.platform.api.url}/api/finances/webhooks/processor/?processor=${stage.processor}`;
  const tell = (event: { body: string; headers: Record<string, string> }) =>
    fetch(address, { method: 'POST', ...event, headers: { 'content-type': 'application/json', ...event.headers } });
  const event = { id: 'WH-MADEUP1', event_type: 'CHECKOUT.ORDER.APPROVED', resource: { id: order } };
  expect((await tell({ body: JSON.stringify(event), headers: {} })).status).toBe(400);
  await approve(body.url);
  await untilPaid(invoice);
  const signedFor = async (webhook_id: string) =>
    (await stage.standin.order('POST', '/signed-events', { order, webhook_id, at: new Date().toISOString() })) as {
      body: string;
      headers: Record<string, string>;
    };
  expect((await tell(await signedFor('WH-of-somebody-else'))).status).toBe(400);
  const signed = await signedFor(`WH-${stage.processor}`);
  const elsewhere = { ...signed.headers, 'paypal-cert-url': 'https://paypal.example/v1/notifications/certs/CERT-1' };
  expect((await tell({ ...signed, headers: elsewhere })).status).toBe(400);
  const tampered = { ...signed, body: signed.body.replace('5', '6') };
  expect((await tell(tampered)).status).toBe(400);
  // Contents that the signature does not cover are not trusted: the event is read from the account.
  await lose('event', 'before', 9);
  expect((await tell(signed)).status).toBe(503);
  await stage.standin.order('DELETE', '/faults');
  const client = { client_id: `APaypal_${stage.processor}`, secret: `EPaypal_${stage.processor}` };
  await stage.standin.order('POST', '/clients', { ...client, revoked: true });
  expect((await tell(signed)).status).toBe(503);
  await stage.standin.order('POST', '/clients', { ...client, revoked: false });
  expect(await Promise.all([1, 2, 3].map(async () => (await tell(signed)).status))).toEqual([200, 200, 200]);
  await handled();
  expect(await paymentsOf(invoice)).toEqual(TAKEN_ONCE);
  expect(await stage.standin.moved()).toEqual({ captured: 5_000, refunded: 0 });
});
