import { closeAll, failure, payment, startInstance, until } from './payments.support.js';

afterEach(closeAll);

test('the same key and body replay the first answer without a second capture', async () => {
  const standin = await startInstance();
  const { paymentIntents } = standin.stripe();
  const first = await paymentIntents.create(payment('1'), { idempotencyKey: 'k1' });
  const second = await paymentIntents.create(payment('1'), { idempotencyKey: 'k1' });
  expect(second).toEqual(first);
  expect(first.lastResponse.headers['idempotent-replayed']).toBeUndefined();
  expect(second.lastResponse.headers['idempotent-replayed']).toBe('true');
  expect((await standin.control('GET', '/ledger')).body).toMatchObject([{ idempotency_key: 'k1', remittance_id: '1' }]);
});

test('a decline is replayed too', async () => {
  const standin = await startInstance();
  const { paymentIntents } = standin.stripe();
  const first = await failure(paymentIntents.create(payment('1', 'pm_card_chargeDeclined'), { idempotencyKey: 'k1' }));
  const second = await failure(paymentIntents.create(payment('1', 'pm_card_chargeDeclined'), { idempotencyKey: 'k1' }));
  expect(second.charge).toBe(first.charge);
  expect(second.headers?.['idempotent-replayed']).toBe('true');
});

test('a refusal caused by the state of the objects is replayed', async () => {
  const standin = await startInstance();
  const { paymentIntents } = standin.stripe();
  const { id } = await paymentIntents.create(payment('1'));
  await failure(paymentIntents.cancel(id, {}, { idempotencyKey: 'k1' }));
  const again = await failure(paymentIntents.cancel(id, {}, { idempotencyKey: 'k1' }));
  expect(again.headers?.['idempotent-replayed']).toBe('true');
});

test('the same key with another body is refused', async () => {
  const standin = await startInstance();
  const { paymentIntents } = standin.stripe();
  await paymentIntents.create(payment('1'), { idempotencyKey: 'k1' });
  const error = await failure(paymentIntents.create(payment('1', 'pm_card_visa', 2600), { idempotencyKey: 'k1' }));
  expect(error).toMatchObject({ statusCode: 400, rawType: 'idempotency_error', type: 'StripeIdempotencyError' });
});

test('a key in flight is refused with a conflict', async () => {
  const standin = await startInstance();
  const { paymentIntents } = standin.stripe();
  await standin.control('POST', '/faults', { kind: 'hold' });
  const held = paymentIntents.create(payment('1'), { idempotencyKey: 'k1' });
  await until(async () => (await standin.control('GET', '/faults')).body['waiting'] === 1);
  const error = await failure(paymentIntents.create(payment('1'), { idempotencyKey: 'k1' }));
  expect(error).toMatchObject({ statusCode: 409, code: 'idempotency_key_in_use' });
  await standin.control('POST', '/release');
  expect((await held).status).toBe('succeeded');
  expect((await standin.control('GET', '/ledger')).body).toHaveLength(1);
});

test('a validation failure is not stored under the key', async () => {
  const standin = await startInstance();
  const { paymentIntents } = standin.stripe();
  await failure(paymentIntents.create(payment('1', 'pm_nonsense'), { idempotencyKey: 'k1' }));
  expect((await paymentIntents.create(payment('1'), { idempotencyKey: 'k1' })).status).toBe('succeeded');
});

test('idempotency keys of different accounts are independent', async () => {
  const standin = await startInstance();
  const one = await standin.stripe('sk_test_one').paymentIntents.create(payment('1'), { idempotencyKey: 'k1' });
  const two = await standin.stripe('sk_test_two').paymentIntents.create(payment('2'), { idempotencyKey: 'k1' });
  expect(two.id).not.toBe(one.id);
});

test('an idempotency key expires after a day', async () => {
  let now = Date.now();
  const standin = await startInstance({ now: () => now });
  const { paymentIntents } = standin.stripe();
  const first = await paymentIntents.create(payment('1'), { idempotencyKey: 'k1' });
  now += 24 * 3_600_000 - 1;
  expect((await paymentIntents.create(payment('1'), { idempotencyKey: 'k1' })).id).toBe(first.id);
  now += 1;
  expect((await paymentIntents.create(payment('1'), { idempotencyKey: 'k1' })).id).not.toBe(first.id);
});
