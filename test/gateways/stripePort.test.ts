import { CredentialsRefused, OutcomeUnknown, type PaymentPort } from '../../gateways/payments/port.js';
import { paymentPort } from '../../gateways/payments/processors.js';
import { config } from '../../config.js';
import { closeAll, type Instance, startInstance } from './standin.support.js';

let standin: Instance;
beforeEach(async () => {
  standin = await startInstance();
  config.STRIPE_API_URL = standin.url;
});
afterEach(closeAll);

const port = (secretKey = 'sk_test_one') => paymentPort({ provider: 'stripe', secretKey });

/** A charge of 50.00 that was captured. @returns its id */
async function captured(by: PaymentPort = port()): Promise<string> {
  const opened = await by.openCharge({ amountCents: 5_000, currency: 'usd', reference: {}, idempotencyKey: 'open' });
  await by.confirmCharge({ ...opened, paymentMethod: 'pm_card_visa', idempotencyKey: 'confirm' });
  return opened.intentId;
}

test('two keys of one account tell the same account, and a key of another its own', async () => {
  await standin.control('POST', '/keys', { key: 'sk_test_newer', same_account_as: 'sk_test_one' });
  const { accountId } = await port().readAccount();
  expect(accountId).toMatch(/^acct_/);
  expect(await port('sk_test_newer').readAccount()).toEqual({ accountId, livemode: false });
  expect((await port('sk_test_two').readAccount()).accountId).not.toBe(accountId);
  expect((await port('rk_live_three').readAccount()).livemode).toBe(true);
});

test.each([{ revoked: true }, { reads_account: false }])(
  'a key that is %j does not tell its account',
  async (state) => {
    await standin.control('POST', '/keys', { key: 'sk_test_one', ...state });
    await expect(port().readAccount()).rejects.toBeInstanceOf(CredentialsRefused);
  },
);

test('a gateway that does not answer is no refusal of the key', async () => {
  await standin.control('POST', '/faults', { kind: 'drop_before_capture', operation: 'account', times: 5 });
  await expect(port().readAccount()).rejects.toBeInstanceOf(OutcomeUnknown);
});

test('a revoked key opens nothing that it opened before', async () => {
  const intentId = await captured();
  await standin.control('POST', '/keys', { key: 'sk_test_one', revoked: true });
  await expect(port().readCharge(intentId)).rejects.toBeInstanceOf(CredentialsRefused);
  await expect(port().cancelCharge(intentId)).rejects.toBeInstanceOf(CredentialsRefused);
});

test('a refund is found by the id that it was marked with, and given once under its key', async () => {
  const intentId = await captured();
  const asked = { intentId, refundId: 'ours-1', amountCents: 5_000, idempotencyKey: 'refund:ours-1' };
  expect(await port().findRefund(asked)).toBeNull();
  const refund = await port().refundCharge(asked);
  expect(refund).toMatchObject({ status: 'refunded', gatewayRefundId: expect.stringMatching(/^re_/) });
  expect(await port().refundCharge(asked)).toEqual(refund);
  expect(await port().findRefund(asked)).toEqual(refund);
  expect(await port().findRefund({ intentId, refundId: 'ours-2' })).toBeNull();
  await expect(port().refundCharge({ ...asked, idempotencyKey: 'another' })).rejects.toMatchObject({
    failureCode: 'charge_already_refunded',
  });
});
