import { randomUUID } from 'node:crypto';
import { config } from '../../../config.js';
import { startStandin } from '../../../development/standins/payments/server.js';
import { signatureHeader } from '../../../development/standins/payments/webhooks/signature.js';
import { atControlPort } from './atControlPort.js';
import { behavesAsAPort, type LostStep, type ProviderUnderTest } from './contract.js';

const OPERATIONS: Record<LostStep, string> = {
  open: 'create',
  confirm: 'confirm',
  cancel: 'cancel',
  refund: 'refund',
  page: 'checkout',
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
  cards: { good: 'pm_card_visa', declined: 'pm_card_chargeDeclined', pendingRefund: 'pm_card_pendingRefund' },
  async start() {
    const standin = await startStandin({ port: 0, controlPort: 0 });
    config.STRIPE_API_URL = standin.url;
    const { control, common, disputes } = atControlPort(standin, OPERATIONS, 'payment_intent');
    return {
      ...common,
      revoke: ({ secret_key }) => control('/keys', { key: secret_key, revoked: true }),
      payOnPage: (url, card) =>
        fetch(url, { method: 'POST', body: new URLSearchParams({ payment_method: card }), redirect: 'manual' }),
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
