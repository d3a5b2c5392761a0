import { randomUUID } from 'node:crypto';
import { config } from '../../../config.js';
import { startStandin } from '../../../development/standins/payments/server.js';
import { signatureHeader } from '../../../development/standins/payments/webhooks/signature.js';
import { paymentPort } from '../../../gateways/payments/processors.js';
import { atControlPort } from './atControlPort.js';
import { behavesAsAPort, type Operations, type ProviderUnderTest } from './contract.js';
import { opened } from './opened.js';

const OPERATIONS: Operations = {
  open: 'create',
  confirm: 'confirm',
  cancel: 'cancel',
  refund: 'refund',
  page: 'checkout',
  forget: 'customer',
};

function signed(event: object, secret: string, at: Date) {
  const created = Math.floor(at.getTime() / 1000);
  const body = JSON.stringify({ id: `evt_${randomUUID()}`, object: 'event', created, ...event });
  const headers = { 'stripe-signature': signatureHeader(body, secret, created) };
  return { rawBody: Buffer.from(body), headers };
}

const stripe: ProviderUnderTest = {
  provider: 'stripe',
  credentials: (account) => ({ secret_key: `sk_test_contract_${account}` }),
  cards: {
    good: 'pm_card_visa',
    declined: 'pm_card_chargeDeclined',
    pendingRefund: 'pm_card_pendingRefund',
    authenticationRequired: 'pm_card_authenticationRequired',
  },
  async start() {
    const standin = await startStandin({ port: 0, controlPort: 0 });
    config.STRIPE_API_URL = standin.url;
    const { control, common, disputes } = atControlPort(standin, OPERATIONS, 'payment_intent');
    return {
      ...common,
      revoke: ({ secret_key }) => control('/keys', { key: secret_key, revoked: true }),
      async payOnPage(url, card) {
        const send = (to: string, body: Record<string, string>) =>
          fetch(to, { method: 'POST', body: new URLSearchParams(body), redirect: 'manual' });
        const answer = await send(url, { payment_method: card });
        // The payer confirms the payment on the bank's page.
        const next = answer.headers.get('location') ?? '';
        if (next.includes('/authenticate/')) await send(next, { decision: 'complete' });
      },
      changeKeptCard: (payment_intent, becomes) => control('/kept-cards', { payment_intent, becomes }),
      disputes: {
        ...disputes,
        event: async ({ intentId, dispute, secret, at }) => {
          const object = { id: dispute, object: 'dispute', payment_intent: intentId, amount: 5_000, currency: 'usd' };
          return signed({ type: 'charge.dispute.updated', data: { object } }, secret, at);
        },
      },
      event: async ({ intentId, amountCents, reference, secret, at }) => {
        const object = {
          id: intentId,
          object: 'payment_intent',
          amount_received: amountCents,
          currency: 'usd',
          metadata: reference,
        };
        return signed({ type: 'payment_intent.succeeded', data: { object } }, secret, at);
      },
    };
  },
};

behavesAsAPort(stripe);

test('a charge that is older than the delay of a search is found by searching', async () => {
  let agoMs = 3_600_000;
  const standin = await startStandin({ port: 0, controlPort: 0, now: () => Date.now() - agoMs });
  config.STRIPE_API_URL = standin.url;
  try {
    const port = paymentPort({ provider: 'stripe', credentials: { secret_key: 'sk_test_search' } });
    const reference = { pledge_id: randomUUID(), attempt_id: randomUUID() };
    const intentId = await opened(port, {
      amountCents: 5_000,
      currency: 'usd',
      reference,
      idempotencyKey: randomUUID(),
    });
    const period = { from: new Date(Date.now() - 7_200_000), to: new Date() };
    expect(await port.findCharge({ pledge_id: reference.pledge_id }, period)).toBeNull();
    await port.confirmCharge({ intentId, paymentMethod: 'pm_card_visa', idempotencyKey: randomUUID() });
    agoMs = 0;
    expect(await port.findCharge({ pledge_id: reference.pledge_id }, period)).toMatchObject({ intentId, reference });
    expect(await port.findCharge({ pledge_id: randomUUID() }, period)).toBeNull();
  } finally {
    await standin.close();
  }
});
