import StripeSdk from 'stripe';
import { accountOf } from '../../../../development/standins/payments/state/identifiers.js';
import {
  closeAll,
  failure,
  pause,
  payment,
  startInstance,
  startReceiver,
  until,
  type Received,
} from './payments.support.js';

afterEach(closeAll);

const SECRET = 'whsec_default';
const { webhooks } = new StripeSdk('sk_test_unused');

const types = (received: Received[]): string[] => received.map(({ event }) => event.type);
const idsOf = (received: Received[], type: string): string[] =>
  received.filter(({ event }) => event.type === type).map(({ event }) => event.id);

async function startWithReceiver(...statuses: number[]) {
  const receiver = await startReceiver(...statuses);
  const standin = await startInstance({ webhook: { url: receiver.url, secret: SECRET }, retryBaseMs: 20 });
  return { receiver, standin, stripe: standin.stripe() };
}

test('an account with its own secret signs with it, and the others with the default secret', async () => {
  const receiver = await startReceiver();
  const secrets = new Map([[accountOf('sk_test_own'), 'whsec_own']]);
  const standin = await startInstance({ webhook: { url: receiver.url, secret: SECRET, secrets }, retryBaseMs: 20 });
  for (const [n, key] of ['sk_test_own', 'sk_test_another'].entries())
    await standin.stripe(key).paymentIntents.create(payment('1'), { idempotencyKey: `k${n}` });
  await until(() => receiver.received.length === 6);
  const signedBy = (secret: string) =>
    receiver.received.filter(({ body, signature }) => {
      try {
        return webhooks.constructEvent(body, signature, secret) !== null;
      } catch {
        return false;
      }
    }).length;
  expect([signedBy('whsec_own'), signedBy(SECRET)]).toEqual([3, 3]);
});

test('a capture sends signed events that carry the metadata', async () => {
  const { receiver, stripe } = await startWithReceiver();
  const metadata = { remittance_id: '1', processor_id: '77' };
  const intent = await stripe.paymentIntents.create({ ...payment('1'), metadata }, { idempotencyKey: 'k1' });
  await until(() => receiver.received.length === 3);
  expect(types(receiver.received).sort()).toEqual([
    'charge.succeeded',
    'payment_intent.created',
    'payment_intent.succeeded',
  ]);
  for (const { body, signature } of receiver.received) {
    const event = webhooks.constructEvent(body, signature, SECRET);
    expect(event).toMatchObject({
      object: 'event',
      request: { idempotency_key: 'k1' },
      data: { object: { metadata } },
    });
    expect(() => webhooks.constructEvent(body, signature, 'whsec_other')).toThrow('signature');
    expect(() => webhooks.constructEvent(`${body} `, signature, SECRET)).toThrow('signature');
  }
  const succeeded = receiver.received.find(({ event }) => event.type === 'payment_intent.succeeded');
  expect(succeeded?.event.data.object).toMatchObject({ id: intent.id, status: 'succeeded' });
  expect(await stripe.events.retrieve(succeeded?.event.id ?? '')).toMatchObject({ type: 'payment_intent.succeeded' });
});

test('declines, cancellations and refunds send events', async () => {
  const { receiver, stripe } = await startWithReceiver();
  const declined = await failure(stripe.paymentIntents.create(payment('1', 'pm_card_chargeDeclined')));
  await stripe.paymentIntents.cancel(declined.payment_intent?.id ?? '');
  const { id } = await stripe.paymentIntents.create(payment('2'));
  await stripe.refunds.create({ payment_intent: id });
  const expected = [
    'charge.failed',
    'payment_intent.payment_failed',
    'payment_intent.canceled',
    'refund.created',
    'charge.refunded',
  ];
  await until(() => expected.every((type) => types(receiver.received).includes(type)));
  const listed = await stripe.events.list({ limit: 100, type: 'charge.*' });
  expect(listed.data.map(({ type }) => type)).toEqual(['charge.refunded', 'charge.succeeded', 'charge.failed']);
});

test('a failed delivery is retried under the same id with a new signature', async () => {
  const { receiver, standin, stripe } = await startWithReceiver(500, 503);
  await stripe.paymentIntents.create({ amount: 900, currency: 'usd' });
  await until(() => receiver.received.length === 3);
  const [first, , third] = receiver.received;
  expect(third?.event.id).toBe(first?.event.id);
  expect(third?.body).toBe(first?.body);
  await until(async () => (await standin.control('GET', '/deliveries?status=delivered')).body['length'] === 1);
  // Signatures count whole seconds; a second later, a fresh signature must differ.
  await pause(1000);
  await standin.control('POST', '/events/redeliver', { event: first?.event.id });
  await until(() => receiver.received.length === 4);
  const again = receiver.received[3];
  expect(again?.event.id).toBe(first?.event.id);
  expect(again?.signature).not.toBe(first?.signature);
  expect(webhooks.constructEvent(again?.body ?? '', again?.signature ?? '', SECRET).id).toBe(first?.event.id);
  expect((await standin.control('GET', '/deliveries')).body).toMatchObject([
    { event: first?.event.id, attempts: 3, last_status: 200, status: 'delivered' },
    { event: first?.event.id, attempts: 1, last_status: 200, status: 'delivered' },
  ]);
});

test('an account registers, narrows and removes its own endpoint', async () => {
  const standin = await startInstance();
  const receiver = await startReceiver();
  const stripe = standin.stripe();
  const endpoint = await stripe.webhookEndpoints.create({
    url: receiver.url,
    enabled_events: ['payment_intent.succeeded'],
  });
  expect(endpoint.secret).toMatch(/^whsec_/);
  expect((await stripe.webhookEndpoints.list()).data[0]).not.toHaveProperty('secret');
  expect((await standin.stripe('sk_test_two').webhookEndpoints.list()).data).toEqual([]);
  await standin.stripe('sk_test_two').paymentIntents.create(payment('2'));
  const intent = await stripe.paymentIntents.create(payment('1'));
  await until(() => receiver.received.length === 1);
  const { body, signature } = receiver.received[0] as Received;
  const event = webhooks.constructEvent(body, signature, endpoint.secret ?? '');
  expect(event.data.object).toMatchObject({ id: intent.id });
  await stripe.webhookEndpoints.del(endpoint.id);
  await stripe.paymentIntents.create(payment('3'));
  await pause(50);
  expect(receiver.received).toHaveLength(1);
});

test('the control port adds an endpoint for one account with a secret of its own', async () => {
  const standin = await startInstance();
  const receiver = await startReceiver();
  const order = {
    account_key: 'sk_test_two',
    url: receiver.url,
    secret: 'whsec_two',
    enabled_events: ['charge.succeeded'],
  };
  expect((await standin.control('POST', '/webhook-endpoints', order)).status).toBe(201);
  await standin.stripe('sk_test_one').paymentIntents.create(payment('1'));
  await standin.stripe('sk_test_two').paymentIntents.create(payment('2'));
  await until(() => receiver.received.length === 1);
  const { body, signature } = receiver.received[0] as Received;
  const event = webhooks.constructEvent(body, signature, 'whsec_two');
  expect(event.data.object).toMatchObject({ metadata: { remittance_id: '2' } });
  expect((await standin.control('POST', '/webhook-endpoints', { url: 'nowhere' })).status).toBe(400);
});

test('duplicate_events delivers each event several times', async () => {
  const { receiver, standin, stripe } = await startWithReceiver();
  await standin.control('POST', '/faults', { kind: 'duplicate_events', copies: 3, remittance_id: '1' });
  await stripe.paymentIntents.create(payment('1'));
  await until(() => receiver.received.length === 9);
  const ids = idsOf(receiver.received, 'payment_intent.succeeded');
  expect(ids).toHaveLength(3);
  expect(new Set(ids).size).toBe(1);
});

test('shuffle_events delivers in another order, the same one for the same seed', async () => {
  const orderOf = async (seed: number): Promise<string[]> => {
    const { receiver, standin, stripe } = await startWithReceiver();
    await standin.control('POST', '/faults', { kind: 'shuffle_events', seed, window_ms: 100 });
    const intent = await stripe.paymentIntents.create(payment('1'));
    await stripe.refunds.create({ payment_intent: intent.id });
    await until(() => receiver.received.length === 5);
    return types(receiver.received);
  };
  const orders = [await orderOf(1), await orderOf(2), await orderOf(3), await orderOf(1)];
  expect(orders[3]).toEqual(orders[0]);
  expect(new Set(orders.map(String)).size).toBeGreaterThan(1);
});

test('delay_events delays events for the given time', async () => {
  const { receiver, standin, stripe } = await startWithReceiver();
  await standin.control('POST', '/faults', { kind: 'delay_events', delay_ms: 300, times: 1 });
  await stripe.paymentIntents.create(payment('1'));
  await until(() => receiver.received.length === 2);
  expect(types(receiver.received)).not.toContain('payment_intent.created');
  await until(() => receiver.received.length === 3);
  expect(receiver.received[2]?.event.type).toBe('payment_intent.created');
});

test('events are redelivered by remittance and type', async () => {
  const { receiver, standin, stripe } = await startWithReceiver();
  await stripe.paymentIntents.create(payment('1'));
  await stripe.paymentIntents.create(payment('2'));
  await until(() => receiver.received.length === 6);
  const order = { remittance_id: '2', type: 'payment_intent.succeeded' };
  expect((await standin.control('POST', '/events/redeliver', order)).body).toMatchObject({ redelivered: 1 });
  await until(() => receiver.received.length === 7);
  expect(receiver.received[6]?.event.data.object).toMatchObject({ metadata: { remittance_id: '2' } });
});
