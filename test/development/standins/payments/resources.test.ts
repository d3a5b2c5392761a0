import { closeAll, failure, payment, startInstance, until, type Instance } from './payments.support.js';

let standin: Instance;
beforeEach(async () => {
  standin = await startInstance({ searchLagMs: 150 });
});
afterEach(closeAll);

describe('credentials', () => {
  test('a valid key is accepted and its account returned', async () => {
    const account = await standin.stripe().accounts.retrieveCurrent();
    expect(account).toMatchObject({ object: 'account', charges_enabled: true });
    expect(account.id).toMatch(/^acct_/);
    expect(account.lastResponse.requestId).toMatch(/^req_/);
  });

  test('an invalid key is refused with 401', async () => {
    const error = await failure(standin.stripe('sk_invalid_1').balance.retrieve());
    expect(error).toMatchObject({ type: 'StripeAuthenticationError', statusCode: 401 });
  });

  test('a request without a key is refused with 401', async () => {
    const response = await fetch(`${standin.url}/v1/balance`);
    expect(response.status).toBe(401);
    expect(await response.json()).toMatchObject({ error: { type: 'invalid_request_error' } });
  });

  test('one account does not see the objects of another', async () => {
    const intent = await standin.stripe('sk_test_one').paymentIntents.create(payment('1'));
    const error = await failure(standin.stripe('sk_test_two').paymentIntents.retrieve(intent.id));
    expect(error).toMatchObject({ statusCode: 404, code: 'resource_missing' });
    expect((await standin.stripe('sk_test_two').paymentIntents.list()).data).toEqual([]);
  });

  test('an unknown route is refused with 404', async () => {
    const error = await failure(standin.stripe().products.list());
    expect(error).toMatchObject({ statusCode: 404, type: 'StripeInvalidRequestError' });
  });
});

describe('payment intents', () => {
  test('a create with confirmation captures and makes the token a concrete payment method', async () => {
    const intent = await standin
      .stripe()
      .paymentIntents.create({ ...payment('7'), expand: ['latest_charge.balance_transaction', 'payment_method'] });
    expect(intent).toMatchObject({ status: 'succeeded', amount_received: 2500, metadata: { remittance_id: '7' } });
    expect(intent.latest_charge).toMatchObject({
      captured: true,
      amount_captured: 2500,
      metadata: { remittance_id: '7' },
      balance_transaction: { amount: 2500, fee: 103, net: 2397 },
    });
    expect(intent.payment_method).toMatchObject({
      id: expect.stringMatching(/^pm_(?!card_)/),
      card: { last4: '4242' },
    });
  });

  test('an intent is created first and confirmed later', async () => {
    const { paymentIntents } = standin.stripe();
    const created = await paymentIntents.create({ amount: 900, currency: 'usd' });
    expect(created.status).toBe('requires_payment_method');
    const confirmed = await paymentIntents.confirm(created.id, { payment_method: 'pm_card_mastercard' });
    expect(confirmed.status).toBe('succeeded');
  });

  test('confirming a succeeded intent is refused', async () => {
    const { paymentIntents } = standin.stripe();
    const { id } = await paymentIntents.create(payment('1'));
    const error = await failure(paymentIntents.confirm(id, { payment_method: 'pm_card_visa' }));
    expect(error).toMatchObject({ statusCode: 400, code: 'payment_intent_unexpected_state' });
    expect(error.payment_intent).toMatchObject({ id, status: 'succeeded' });
  });

  test('cancelling a succeeded intent is refused', async () => {
    const { paymentIntents } = standin.stripe();
    const { id } = await paymentIntents.create(payment('1'));
    expect(await failure(paymentIntents.cancel(id))).toMatchObject({ code: 'payment_intent_unexpected_state' });
  });

  test('a cancelled intent can never capture', async () => {
    const { paymentIntents } = standin.stripe();
    const { id } = await paymentIntents.create({ amount: 900, currency: 'usd' });
    expect((await paymentIntents.cancel(id, { cancellation_reason: 'abandoned' })).status).toBe('canceled');
    const error = await failure(paymentIntents.confirm(id, { payment_method: 'pm_card_visa' }));
    expect(error.code).toBe('payment_intent_unexpected_state');
    expect((await standin.control('GET', '/ledger')).body).toEqual([]);
  });

  test('a manual capture moves money only when it is captured', async () => {
    const { paymentIntents } = standin.stripe();
    const held = await paymentIntents.create({ ...payment('1'), capture_method: 'manual' });
    expect(held).toMatchObject({ status: 'requires_capture', amount_capturable: 2500, amount_received: 0 });
    expect((await standin.control('GET', '/ledger')).body).toEqual([]);
    const captured = await paymentIntents.capture(held.id, { amount_to_capture: 2000 });
    expect(captured).toMatchObject({ status: 'succeeded', amount_received: 2000 });
  });

  test('metadata is merged and an empty value unsets a key', async () => {
    const { paymentIntents } = standin.stripe();
    const { id } = await paymentIntents.create({ amount: 900, currency: 'usd', metadata: { a: '1', b: '2' } });
    const updated = await paymentIntents.update(id, { metadata: { a: '', c: '3' } });
    expect(updated.metadata).toEqual({ b: '2', c: '3' });
  });

  test('wrong values and unknown parameters are refused with their names', async () => {
    const { paymentIntents } = standin.stripe();
    const wrong = await failure(paymentIntents.create({ amount: 900, currency: 'zzz' }));
    expect(wrong).toMatchObject({ statusCode: 400, param: 'currency', type: 'StripeInvalidRequestError' });
    const unknown = await failure(paymentIntents.create({ amount: 900, currency: 'usd', colour: 'red' } as never));
    expect(unknown).toMatchObject({ code: 'parameter_unknown', param: 'colour' });
    expect(await failure(paymentIntents.create({ amount: 3, currency: 'usd' }))).toMatchObject({
      code: 'amount_too_small',
    });
    const method = await failure(paymentIntents.create(payment('1', 'pm_nonsense')));
    expect(method).toMatchObject({ statusCode: 400, code: 'resource_missing', param: 'payment_method' });
  });

  test('a list is newest first and pages by cursor', async () => {
    const { paymentIntents } = standin.stripe();
    const ids: string[] = [];
    for (let index = 0; index < 5; index += 1) {
      ids.unshift((await paymentIntents.create({ amount: 900 + index, currency: 'usd' })).id);
    }
    const first = await paymentIntents.list({ limit: 2 });
    expect(first).toMatchObject({ object: 'list', has_more: true, url: '/v1/payment_intents' });
    const all = await paymentIntents.list({ limit: 2 }).autoPagingToArray({ limit: 100 });
    expect(all.map((intent) => intent.id)).toEqual(ids);
    const before = await paymentIntents.list({ ending_before: ids[3] ?? '', limit: 2 });
    expect(before.data.map((intent) => intent.id)).toEqual(ids.slice(1, 3));
  });

  test('search results lag behind and lists do not', async () => {
    const { paymentIntents } = standin.stripe();
    const { id } = await paymentIntents.create(payment('42'));
    const query = "metadata['remittance_id']:'42'";
    expect((await paymentIntents.search({ query })).data).toEqual([]);
    expect((await paymentIntents.list()).data).toHaveLength(1);
    await until(async () => (await paymentIntents.search({ query })).data.length === 1);
    expect((await paymentIntents.search({ query: `${query} AND status:'succeeded'` })).data[0]?.id).toBe(id);
    expect((await paymentIntents.search({ query: `${query} AND status:'canceled'` })).data).toEqual([]);
  });
});

test('balance transactions contain captures and refunds', async () => {
  const stripe = standin.stripe();
  const { id } = await stripe.paymentIntents.create(payment('1'));
  await stripe.refunds.create({ payment_intent: id, amount: 500 });
  const { data } = await stripe.balanceTransactions.list();
  expect(data.map(({ type, amount, status }) => ({ type, amount, status }))).toEqual([
    { type: 'refund', amount: -500, status: 'pending' },
    { type: 'charge', amount: 2500, status: 'pending' },
  ]);
  expect(await stripe.balanceTransactions.retrieve(data[0]?.id ?? '')).toMatchObject({ amount: -500 });
  expect((await stripe.balance.retrieve()).pending).toMatchObject([{ amount: 1897, currency: 'usd' }]);
});
