import { randomUUID } from 'node:crypto';
import { config } from '../../../config.js';
import { squareSignatureOf } from '../../../development/standins/square/hooks.js';
import { startSquareStandin } from '../../../development/standins/square/server.js';
import { atControlPort } from './atControlPort.js';
import { behavesAsAPort, type Operations, type ProviderUnderTest } from './contract.js';

const OPERATIONS: Operations = {
  open: 'create',
  confirm: 'complete',
  cancel: 'cancel',
  refund: 'refund',
  page: 'page',
};

function signed(event: object, secret: string, url: string) {
  const body = JSON.stringify({ merchant_id: 'ML1', event_id: randomUUID(), ...event });
  return {
    rawBody: Buffer.from(body),
    headers: { 'x-square-hmacsha256-signature': squareSignatureOf(url, body, secret) },
  };
}

const square: ProviderUnderTest = {
  provider: 'square',
  credentials: (account) => ({ secret_key: `EAAA_contract_${account}`, location_id: 'LCONTRACT' }),
  cards: {
    good: 'cnon:card-nonce-ok',
    declined: 'cnon:card-nonce-declined',
    pendingRefund: 'cnon:card-nonce-refund-pending',
  },
  async start() {
    const standin = await startSquareStandin({ port: 0, controlPort: 0 });
    // The library's timer continues after a connection that broke.
    Object.assign(config, { SQUARE_API_URL: standin.url, STRIPE_TIMEOUT_SECONDS: 2 });
    const { control, common, disputes } = atControlPort(standin, OPERATIONS);
    return {
      ...common,
      revoke: ({ secret_key }) => control('/keys', { key: secret_key, revoked: true }),
      payOnPage: (url, card) =>
        fetch(url, { method: 'POST', body: new URLSearchParams({ source_id: card }), redirect: 'manual' }),
      disputes: {
        ...disputes,
        event: async ({ intentId, dispute: id, secret, url }) => {
          const dispute = { id, state: 'EVIDENCE_REQUIRED', disputed_payment: { payment_id: intentId } };
          const data = { type: 'dispute', id, object: { dispute } };
          return signed({ type: 'dispute.state.updated', data }, secret, url);
        },
      },
      event: async ({ intentId, amountCents, reference, secret, url, at }) => {
        const money = { amount: amountCents, currency: 'USD' };
        const note = Object.entries(reference)
          .map(([name, id]) => `${name}:${id}`)
          .join(' ');
        const paid = { status: 'COMPLETED', amount_money: money, total_money: money, created_at: at.toISOString() };
        const payment = { id: intentId, note, ...paid };
        const data = { type: 'payment', id: intentId, object: { payment } };
        return signed({ type: 'payment.updated', data }, secret, url);
      },
    };
  },
};

behavesAsAPort(square);
