import type Stripe from 'stripe';
import { closeAll, failure, payment, startInstance, until, type Instance } from './payments.support.js';

let standin: Instance;
let paymentIntents: Stripe['paymentIntents'];
beforeEach(async () => {
  standin = await startInstance();
  paymentIntents = standin.stripe().paymentIntents;
});
afterEach(closeAll);

const order = (fault: object) => standin.control('POST', '/faults', fault);
const ledger = async (): Promise<object[]> => (await standin.control('GET', '/ledger')).body;
/** Requests without the SDK, which would retry a closed connection. */
const rawRetrieve = (id: string) =>
  fetch(`${standin.url}/v1/payment_intents/${id}`, { headers: { Authorization: 'Bearer sk_test_one' } });
const waiting = (count: number) =>
  until(async () => (await standin.control('GET', '/faults')).body['waiting'] === count);

test('drop_before_capture loses the request before anything happens', async () => {
  // The SDK itself retries a closed connection once, so a single drop would have no effect.
  await order({ kind: 'drop_before_capture', times: 2 });
  const error = await failure(paymentIntents.create(payment('1'), { idempotencyKey: 'k1' }));
  expect(error.type).toBe('StripeConnectionError');
  expect(await ledger()).toEqual([]);
  expect((await paymentIntents.create(payment('1'), { idempotencyKey: 'k1' })).status).toBe('succeeded');
});

test("a single drop is hidden by the SDK's own retry", async () => {
  await order({ kind: 'drop_before_capture' });
  expect((await paymentIntents.create(payment('1'))).status).toBe('succeeded');
  const { body } = await standin.control('GET', '/requests');
  expect(body).toMatchObject([
    { operation: 'create', fault: 'drop_before_capture', status: null, remittance_id: '1' },
    { operation: 'create', fault: null, status: 200 },
  ]);
});

test('drop_after_capture captures, loses the answer, and replays it under the same key', async () => {
  await order({ kind: 'drop_after_capture', times: 2 });
  const error = await failure(paymentIntents.create(payment('1'), { idempotencyKey: 'k1' }));
  expect(error.type).toBe('StripeConnectionError');
  expect(await ledger()).toHaveLength(1);
  const replayed = await paymentIntents.create(payment('1'), { idempotencyKey: 'k1' });
  expect(replayed.lastResponse.headers['idempotent-replayed']).toBe('true');
  expect(await ledger()).toHaveLength(1);
});

test('hang never answers and executes nothing, and frees the key when the client gives up', async () => {
  await order({ kind: 'hang' });
  const error = await failure(paymentIntents.create(payment('1'), { idempotencyKey: 'k1', timeout: 150 }));
  expect(error.type).toBe('StripeConnectionError');
  expect(await ledger()).toEqual([]);
  await waiting(0);
  expect((await paymentIntents.create(payment('1'), { idempotencyKey: 'k1' })).status).toBe('succeeded');
});

test('clearing the faults drops hanging requests', async () => {
  await order({ kind: 'hang', operation: 'retrieve' });
  const hanging = rawRetrieve('pi_any');
  await waiting(1);
  await standin.control('DELETE', '/faults');
  await expect(hanging).rejects.toThrow('fetch failed');
});

test('error_after_capture captures, answers 500, and replays the 500', async () => {
  await order({ kind: 'error_after_capture' });
  const error = await failure(paymentIntents.create(payment('1'), { idempotencyKey: 'k1' }));
  expect(error).toMatchObject({ statusCode: 500, rawType: 'api_error', type: 'StripeAPIError' });
  expect(await ledger()).toHaveLength(1);
  const again = await failure(paymentIntents.create(payment('1'), { idempotencyKey: 'k1' }));
  expect(again.statusCode).toBe(500);
  expect(await ledger()).toHaveLength(1);
  expect((await paymentIntents.list()).data[0]).toMatchObject({ status: 'succeeded' });
});

test('error_before_capture does nothing, answers 500, and replays the 500 under that key only', async () => {
  await order({ kind: 'error_before_capture' });
  for (const idempotencyKey of ['k1', 'k1'])
    expect(await failure(paymentIntents.create(payment('1'), { idempotencyKey }))).toMatchObject({ statusCode: 500 });
  expect((await paymentIntents.list()).data).toEqual([]);
  expect((await paymentIntents.create(payment('1'), { idempotencyKey: 'k2' })).status).toBe('succeeded');
});

test('capture_amount captures another amount than was requested', async () => {
  await order({ kind: 'capture_amount', amount_cents: 2400 });
  const intent = await paymentIntents.create({ ...payment('1'), expand: ['latest_charge'] });
  expect(intent).toMatchObject({ amount: 2500, amount_received: 2400, latest_charge: { amount: 2400 } });
  expect(await ledger()).toMatchObject([{ amount_cents: 2400 }]);
  expect((await paymentIntents.create(payment('2'))).amount_received).toBe(2500);
});

test('hold delays a request before execution until it is released', async () => {
  await order({ kind: 'hold' });
  const held = paymentIntents.create(payment('1'));
  await waiting(1);
  expect(await ledger()).toEqual([]);
  expect((await standin.control('POST', '/release')).body).toEqual({ released: 1 });
  expect((await held).status).toBe('succeeded');
});

test('a held request captures late even though its client has disconnected', async () => {
  await order({ kind: 'hold' });
  await failure(paymentIntents.create(payment('1'), { timeout: 100 }));
  expect(await ledger()).toEqual([]);
  await standin.control('POST', '/release');
  await until(async () => (await ledger()).length === 1);
});

test('a held confirmation of an intent cancelled meanwhile does not capture', async () => {
  const { id } = await paymentIntents.create({ amount: 900, currency: 'usd' });
  await order({ kind: 'hold', operation: 'confirm' });
  const held = failure(paymentIntents.confirm(id, { payment_method: 'pm_card_visa' }));
  await waiting(1);
  await paymentIntents.cancel(id);
  await standin.control('POST', '/release');
  expect(await held).toMatchObject({ code: 'payment_intent_unexpected_state' });
  expect(await ledger()).toEqual([]);
});

test('hold_after_capture captures and delays the answer until it is released', async () => {
  await order({ kind: 'hold_after_capture' });
  const held = paymentIntents.create(payment('1'), { idempotencyKey: 'k1' });
  await waiting(1);
  expect(await ledger()).toHaveLength(1);
  const replayed = await paymentIntents.create(payment('1'), { idempotencyKey: 'k1' });
  expect(replayed.lastResponse.headers['idempotent-replayed']).toBe('true');
  await standin.control('POST', '/release');
  expect((await held).id).toBe(replayed.id);
});

test('a fault can select one remittance', async () => {
  await order({ kind: 'error_after_capture', remittance_id: 2 });
  expect((await paymentIntents.create(payment('1'))).status).toBe('succeeded');
  expect(await failure(paymentIntents.create(payment('2')))).toMatchObject({ statusCode: 500 });
});

test('faults, held requests, the ledger and redelivery can select one gift', async () => {
  const gift = (donation_id: string) => ({ ...payment('none'), metadata: { donation_id } });
  await order({ kind: 'error_after_capture', donation_id: '2' });
  expect((await paymentIntents.create(gift('1'))).status).toBe('succeeded');
  expect(await failure(paymentIntents.create(gift('2')))).toMatchObject({ statusCode: 500 });
  await order({ kind: 'hold_after_capture', donation_id: '3' });
  const held = paymentIntents.create(gift('3'));
  await waiting(1);
  const release = async (donation_id: string) => (await standin.control('POST', '/release', { donation_id })).body;
  expect(await release('2')).toEqual({ released: 0 });
  expect(await release('3')).toEqual({ released: 1 });
  const { id } = await held;
  await standin.stripe().refunds.create({ payment_intent: id, amount: 500 });
  expect((await standin.control('GET', '/ledger?donation_id=3')).body).toMatchObject([
    { kind: 'capture', donation_id: '3', remittance_id: null },
    { kind: 'refund', donation_id: '3', amount_cents: 500 },
  ]);
  const redeliver = async (order: object) => (await standin.control('POST', '/events/redeliver', order)).body;
  expect(await redeliver({ donation_id: '4' })).toMatchObject({ redelivered: 0 });
  expect(await redeliver({ donation_id: '3', type: 'charge.refunded' })).toMatchObject({ redelivered: 1 });
});

test('a fault can select another operation', async () => {
  const { id } = await paymentIntents.create(payment('5'));
  await order({ kind: 'error_after_capture', operation: 'refund', remittance_id: '5' });
  await order({ kind: 'drop_before_capture', operation: 'retrieve', times: 2 });
  expect(await failure(standin.stripe().refunds.create({ payment_intent: id }))).toMatchObject({ statusCode: 500 });
  expect(await ledger()).toMatchObject([{ kind: 'capture' }, { kind: 'refund', remittance_id: '5' }]);
  expect(await failure(paymentIntents.retrieve(id))).toMatchObject({ type: 'StripeConnectionError' });
  expect((await paymentIntents.retrieve(id)).status).toBe('succeeded');
});

test('a refused request does not use up a fault that strikes after the capture', async () => {
  await order({ kind: 'error_after_capture' });
  await failure(paymentIntents.create(payment('1', 'pm_nonsense')));
  expect((await standin.control('GET', '/faults')).body).toMatchObject({ faults: [{ used: 0 }] });
});

test('faults are listed and cleared', async () => {
  await order({ kind: 'error_after_capture', times: 3 });
  const { body } = await standin.control('GET', '/faults');
  expect(body).toMatchObject({ faults: [{ kind: 'error_after_capture', times: 3, used: 0 }] });
  await standin.control('DELETE', '/faults');
  expect((await paymentIntents.create(payment('1'))).status).toBe('succeeded');
});

test('an unknown kind or field is refused with a clear message', async () => {
  const kind = await order({ kind: 'explode' });
  expect(kind.status).toBe(400);
  expect(kind.body).toMatchObject({ error: expect.stringContaining("unknown fault kind 'explode'") });
  const field = await order({ kind: 'hang', colour: 'red' });
  expect(field.status).toBe(400);
  expect(field.body).toMatchObject({ error: expect.stringContaining('colour') });
  expect((await order({ kind: 'capture_amount' })).status).toBe(400);
  expect((await order({ kind: 'hang', operation: 'dance' })).status).toBe(400);
});

test('reset deletes all state', async () => {
  const { id } = await paymentIntents.create(payment('1'));
  await order({ kind: 'hold', operation: 'retrieve' });
  const held = rawRetrieve(id);
  await waiting(1);
  await standin.control('POST', '/reset');
  await expect(held).rejects.toThrow('fetch failed');
  expect(await ledger()).toEqual([]);
  expect(await failure(paymentIntents.retrieve(id))).toMatchObject({ statusCode: 404 });
});

test('closing ends waiting requests', async () => {
  await order({ kind: 'hold', times: 5 });
  const held = failure(paymentIntents.create(payment('1')));
  await waiting(1);
  await standin.close();
  expect((await held).type).toBe('StripeConnectionError');
});
