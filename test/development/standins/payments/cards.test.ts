import { closeAll, failure, payment, startInstance, type Instance } from './payments.support.js';

let standin: Instance;
beforeEach(async () => {
  standin = await startInstance();
});
afterEach(closeAll);

describe('test cards', () => {
  const declines: [card: string, code: string, declineCode: string][] = [
    ['pm_card_chargeDeclined', 'card_declined', 'generic_decline'],
    ['pm_card_visa_chargeDeclined', 'card_declined', 'generic_decline'],
    ['pm_card_chargeDeclinedInsufficientFunds', 'card_declined', 'insufficient_funds'],
    ['pm_card_visa_chargeDeclinedInsufficientFunds', 'card_declined', 'insufficient_funds'],
    ['pm_card_chargeDeclinedExpiredCard', 'expired_card', 'expired_card'],
    ['pm_card_chargeDeclinedProcessingError', 'processing_error', 'processing_error'],
    ['pm_card_chargeDeclinedIncorrectCvc', 'incorrect_cvc', 'incorrect_cvc'],
  ];

  test.each(declines)('the card %s is declined with %s / %s', async (card, code, declineCode) => {
    const error = await failure(standin.stripe().paymentIntents.create(payment('1', card)));
    expect(error).toMatchObject({ type: 'StripeCardError', statusCode: 402, code, decline_code: declineCode });
    expect(error.charge).toMatch(/^ch_/);
    expect(error.payment_method).toMatchObject({ object: 'payment_method' });
    expect(error.payment_intent).toMatchObject({
      status: 'requires_payment_method',
      last_payment_error: { code, decline_code: declineCode, charge: error.charge },
    });
  });

  test('an intent stays confirmable after a decline', async () => {
    const { paymentIntents } = standin.stripe();
    const error = await failure(paymentIntents.create(payment('1', 'pm_card_chargeDeclined')));
    const id = error.payment_intent?.id ?? '';
    const confirmed = await paymentIntents.confirm(id, { payment_method: 'pm_card_visa' });
    expect(confirmed).toMatchObject({ status: 'succeeded', last_payment_error: null });
    expect((await standin.stripe().charges.list({ payment_intent: id })).data.map((charge) => charge.status)).toEqual([
      'succeeded',
      'failed',
    ]);
  });

  test('a card that requires its holder leaves the intent in requires_action', async () => {
    const intent = await standin.stripe().paymentIntents.create({
      ...payment('1', 'pm_card_authenticationRequired'),
      return_url: 'http://localhost:3000/back',
      automatic_payment_methods: { enabled: true },
    });
    expect(intent).toMatchObject({
      status: 'requires_action',
      next_action: { type: 'redirect_to_url', redirect_to_url: { return_url: 'http://localhost:3000/back' } },
    });
  });

  test('a card that requires its holder declines when the holder is absent', async () => {
    const params = { ...payment('1', 'pm_card_authenticationRequired'), off_session: true };
    const error = await failure(standin.stripe().paymentIntents.create(params));
    expect(error).toMatchObject({ statusCode: 402, code: 'authentication_required' });
  });

  test('a card on file is attached, listed, charged and detached', async () => {
    const stripe = standin.stripe();
    const customer = await stripe.customers.create({ email: 'a@example.org', metadata: { member_id: '3' } });
    const method = await stripe.paymentMethods.attach('pm_card_visa', { customer: customer.id });
    expect((await stripe.customers.listPaymentMethods(customer.id)).data.map(({ id }) => id)).toEqual([method.id]);
    const without = await failure(stripe.paymentIntents.create(payment('1', method.id)));
    expect(without).toMatchObject({ statusCode: 400, param: 'payment_method' });
    const paid = await stripe.paymentIntents.create({
      ...payment('1', method.id),
      customer: customer.id,
      expand: ['customer'],
    });
    expect(paid).toMatchObject({ status: 'succeeded', customer: { email: 'a@example.org' } });
    await stripe.paymentMethods.detach(method.id);
    expect((await stripe.paymentMethods.list({ customer: customer.id })).data).toEqual([]);
  });

  test('a declining card cannot be attached, but the one that fails later can', async () => {
    const stripe = standin.stripe();
    const { id: customer } = await stripe.customers.create();
    const declined = await failure(stripe.paymentMethods.attach('pm_card_chargeDeclined', { customer }));
    expect(declined).toMatchObject({ statusCode: 402, code: 'card_declined' });
    const method = await stripe.paymentMethods.attach('pm_card_chargeCustomerFail', { customer });
    const error = await failure(stripe.paymentIntents.create({ ...payment('1', method.id), customer }));
    expect(error.code).toBe('card_declined');
  });
});

describe('refunds', () => {
  test('partial refunds add up until nothing is left', async () => {
    const stripe = standin.stripe();
    const { id } = await stripe.paymentIntents.create(payment('9'));
    const first = await stripe.refunds.create({ payment_intent: id, amount: 1000, metadata: { reason: 'moved' } });
    expect(first).toMatchObject({ object: 'refund', amount: 1000, status: 'succeeded', payment_intent: id });
    await stripe.refunds.create({ payment_intent: id });
    expect((await stripe.charges.list({ payment_intent: id })).data[0]).toMatchObject({
      amount_refunded: 2500,
      refunded: true,
    });
    expect((await stripe.refunds.list({ payment_intent: id })).data).toHaveLength(2);
    const again = await failure(stripe.refunds.create({ payment_intent: id }));
    expect(again).toMatchObject({ statusCode: 400, code: 'charge_already_refunded' });
    expect((await standin.control('GET', '/ledger?remittance_id=9')).body).toMatchObject([
      { kind: 'capture', amount_cents: 2500 },
      { kind: 'refund', amount_cents: 1000 },
      { kind: 'refund', amount_cents: 1500 },
    ]);
  });

  test('a refund above the captured amount is refused', async () => {
    const stripe = standin.stripe();
    const { id } = await stripe.paymentIntents.create(payment('9'));
    const error = await failure(stripe.refunds.create({ payment_intent: id, amount: 2501 }));
    expect(error).toMatchObject({ statusCode: 400, type: 'StripeInvalidRequestError', param: 'amount' });
    expect((await standin.control('GET', '/ledger')).body).toHaveLength(1);
  });

  test('a refund of an uncaptured charge is refused', async () => {
    const stripe = standin.stripe();
    const { id } = await stripe.paymentIntents.create({ amount: 900, currency: 'usd' });
    expect(await failure(stripe.refunds.create({ payment_intent: id }))).toMatchObject({ statusCode: 400 });
  });
});
