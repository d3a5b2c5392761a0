import { ChargeRefused, CredentialsRefused, OutcomeUnknown } from '../../gateways/payments/port.js';
import { paymentPort } from '../../gateways/payments/processors.js';
import { config } from '../../config.js';
import { opened } from './payments/opened.js';
import { closeAll, type Instance, startInstance } from '../development/standins/payments/payments.support.js';

let standin: Instance;
beforeEach(async () => {
  standin = await startInstance();
  config.STRIPE_API_URL = standin.url;
});
afterEach(closeAll);

const port = (key = 'sk_test_one') => paymentPort({ provider: 'stripe', credentials: { secret_key: key } });

/** A captured charge of 50.00. @returns its id */
async function captured(paymentMethod = 'pm_card_visa'): Promise<string> {
  const by = port();
  const intentId = await opened(by, { amountCents: 5_000, currency: 'usd', reference: {}, idempotencyKey: 'open' });
  await by.confirmCharge({ intentId, paymentMethod, idempotencyKey: 'confirm' });
  return intentId;
}

test('two keys of one account return the same account id, and a key of another account another one', async () => {
  await standin.control('POST', '/keys', { key: 'sk_test_newer', same_account_as: 'sk_test_one' });
  const { accountId } = await port().readAccount();
  expect(accountId).toMatch(/^acct_/);
  expect(await port('sk_test_newer').readAccount()).toEqual({ accountId, livemode: false });
  expect((await port('sk_test_two').readAccount()).accountId).not.toBe(accountId);
  expect((await port('rk_live_three').readAccount()).livemode).toBe(true);
});

test.each([{ revoked: true }, { reads_account: false }])(
  'a key that is %j cannot read its account id',
  async (state) => {
    await standin.control('POST', '/keys', { key: 'sk_test_one', ...state });
    await expect(port().readAccount()).rejects.toBeInstanceOf(CredentialsRefused);
  },
);

test('a gateway that does not answer is no refusal of the key', async () => {
  await standin.control('POST', '/faults', { kind: 'drop_before_capture', operation: 'account', times: 5 });
  await expect(port().readAccount()).rejects.toBeInstanceOf(OutcomeUnknown);
});

test('a revoked key cannot read charges that it could read before', async () => {
  const intentId = await captured();
  await standin.control('POST', '/keys', { key: 'sk_test_one', revoked: true });
  await expect(port().readCharge(intentId)).rejects.toBeInstanceOf(CredentialsRefused);
  await expect(port().cancelCharge(intentId)).rejects.toBeInstanceOf(CredentialsRefused);
});

test('a charge of another account is refused, without a statement about refunds', async () => {
  await expect(port().readRefunds('pi_of_somebody_else')).rejects.toBeInstanceOf(ChargeRefused);
});

test('a refund that takes the bank days is pending, and may fail later', async () => {
  const intentId = await captured('pm_card_pendingRefund');
  const refund = { intentId, refundId: 'ours-1', amountCents: 5_000, reference: {}, idempotencyKey: 'refund:ours-1' };
  const { gatewayRefundId, status } = await port().refundCharge(refund);
  expect(status).toBe('pending');
  await standin.control('POST', '/refunds', { refund: gatewayRefundId, status: 'succeeded' });
  expect(await port().readRefunds(intentId)).toMatchObject([{ status: 'refunded' }]);
  await standin.control('POST', '/refunds', { refund: gatewayRefundId, status: 'failed' });
  expect(await port().readRefunds(intentId)).toMatchObject([
    { status: 'failed', failureCode: 'expired_or_canceled_card', amountCents: 5_000 },
  ]);
});

test('a refund is found by its reference, and made once under its key', async () => {
  const intentId = await captured();
  const request = { intentId, refundId: 'ours-1', amountCents: 5_000, reference: {}, idempotencyKey: 'refund:ours-1' };
  expect(await port().readRefunds(intentId)).toEqual([]);
  const refund = await port().refundCharge(request);
  expect(refund).toMatchObject({ status: 'refunded', gatewayRefundId: expect.stringMatching(/^re_/) });
  expect(await port().refundCharge(request)).toEqual(refund);
  expect(await port().readRefunds(intentId)).toEqual([{ ...refund, amountCents: 5_000, refundId: 'ours-1' }]);
  await expect(port().refundCharge({ ...request, idempotencyKey: 'another' })).rejects.toMatchObject({
    failureCode: 'charge_already_refunded',
  });
});
