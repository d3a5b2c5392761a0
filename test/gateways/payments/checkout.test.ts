import { randomUUID } from 'node:crypto';
import { config } from '../../../config.js';
import { startCheckoutStandin } from '../../../development/standins/checkout/server.js';
import { checkoutSignature } from '../../../development/standins/checkout/signature.js';
import { CARDS } from '../../../development/standins/checkout/state.js';
import { accountOf } from '../../../gateways/payments/checkout/account.js';
import { paymentPort } from '../../../gateways/payments/processors.js';
import { behavesAsAPort, type LostStep, type ProviderUnderTest } from './contract.js';
import { opened } from './opened.js';

const OPERATIONS: Record<LostStep, string> = {
  open: 'payments',
  confirm: 'captures',
  cancel: 'voids',
  refund: 'refunds',
  page: 'pages',
};

const checkout: ProviderUnderTest = {
  provider: 'checkout',
  pages: false,
  movements: false,
  disputes: false,
  credentials: (account) => ({
    secret_key: `sk_sbox_${account.padEnd(27, 'k')}`,
    processing_channel_id: `pc_${account.padEnd(26, 'c')}`,
    subdomain: `subdomainof${account}`,
  }),
  cards: { good: CARDS.good, declined: CARDS.declined, pendingRefund: CARDS.refundPending },
  async start() {
    const standin = await startCheckoutStandin({ port: 0, controlPort: 0 });
    config.CHECKOUT_API_URL = standin.url;
    const control = async (path: string, body: unknown) => {
      const answer = await fetch(standin.controlUrl + path, { method: 'POST', body: JSON.stringify(body) });
      if (!answer.ok) throw new Error(await answer.text());
    };
    return {
      close: () => standin.close(),
      lose: (step, when) => control('/faults', { operation: OPERATIONS[step], when }),
      recover: () => fetch(`${standin.controlUrl}/faults`, { method: 'DELETE' }),
      revoke: ({ secret_key }) => control('/keys', { revoked: secret_key }),
      concludeRefund: (action, status) => control('/actions', { action, status }),
      payOnPage: (url) => Promise.reject(new Error(`There is no page at ${url}.`)),
      moved: async () => (await (await fetch(`${standin.controlUrl}/ledger`)).json()) as never,
      event: async ({ intentId, amountCents, reference, secret, at }) => {
        const data = { id: intentId, action_id: 'act_1', amount: amountCents, currency: 'USD', metadata: reference };
        const event = { id: `evt_${randomUUID()}`, type: 'payment_captured', created_on: at.toISOString(), data };
        const body = JSON.stringify(event);
        return { rawBody: Buffer.from(body), headers: { 'cko-signature': checkoutSignature(body, secret) } };
      },
    };
  },
};

behavesAsAPort(checkout);

test('a capture that the bank refuses is a declined card, and its hold is let go', async () => {
  const standin = await checkout.start();
  const port = paymentPort({ provider: 'checkout', credentials: checkout.credentials('one') });
  const attempt = randomUUID();
  const intentId = await opened(port, {
    amountCents: 5_000,
    currency: 'usd',
    reference: { attempt_id: attempt },
    paymentMethod: CARDS.captureDeclined,
    idempotencyKey: `open:${attempt}`,
  });
  await port.confirmCharge({ intentId, paymentMethod: '', idempotencyKey: `confirm:${attempt}:0` });
  await new Promise((resolve) => setTimeout(resolve, 50));
  expect(await port.readCharge(intentId)).toMatchObject({ status: 'declined', failureCode: '20068' });
  expect(await port.cancelCharge(intentId)).toMatchObject({ status: 'cancelled' });
  expect(await standin.moved()).toEqual([]);
  await standin.close();
});

test.each(['evil.example.org/', 'a.b', 'pl-abc', 'abc\n', ''])(
  '%j is no subdomain, and nobody is asked',
  (subdomain) => {
    const credentials = { ...checkout.credentials('one'), subdomain };
    expect(() => accountOf(credentials)).toThrow(expect.objectContaining({ field: 'subdomain' }));
  },
);
