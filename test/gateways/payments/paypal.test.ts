import { config } from '../../../config.js';
import { VAULT } from '../../../development/standins/paypal/money.js';
import { startPaypalStandin } from '../../../development/standins/paypal/server.js';
import { paypalPort } from '../../../gateways/payments/paypal/port.js';
import type { Credentials } from '../../../gateways/payments/port.js';
import { atControlPort } from './atControlPort.js';
import { behavesAsAPort, type Operations, type ProviderUnderTest, type SignedEvent } from './contract.js';

const OPERATIONS: Operations = {
  open: 'create',
  confirm: 'capture',
  cancel: 'void',
  refund: 'refund',
  page: 'page',
};

const credentialsOf = (account: string): Credentials => ({
  secret_key: `EPaypalSecretOf_${account}`,
  client_id: `APaypalClientOf_${account}`,
});

const paypal: ProviderUnderTest = {
  provider: 'paypal',
  pages: 'unlisted',
  credentials: credentialsOf,
  cards: { good: VAULT.good, declined: VAULT.declined, pendingRefund: VAULT.refundPending },
  async start() {
    const standin = await startPaypalStandin({ port: 0, controlPort: 0 });
    Object.assign(config, { PAYPAL_API_URL: standin.url, PAYPAL_CA: standin.authority, STRIPE_TIMEOUT_SECONDS: 2 });
    const { control, common, disputes } = atControlPort(standin, OPERATIONS);
    const signed = async (order: object): Promise<SignedEvent> => {
      const { body, headers } = (await control('/signed-events', order)) as {
        body: string;
        headers: Record<string, string>;
      };
      return { rawBody: Buffer.from(body), headers };
    };
    return {
      ...common,
      revoke: ({ secret_key, client_id }) => control('/clients', { client_id, secret: secret_key, revoked: true }),
      // The payer approves; the capture is made by the next look at the page, as its process does.
      async payOnPage(url, card) {
        await fetch(url, { method: 'POST', body: new URLSearchParams({ source: card }), redirect: 'manual' });
        await paypalPort(credentialsOf('one')).readHostedPayment(new URL(url).searchParams.get('token') ?? '');
      },
      disputes: {
        ...disputes,
        event: ({ dispute, secret, at }) => signed({ dispute, webhook_id: secret, at: at.toISOString() }),
      },
      event: ({ intentId, secret, at }) => signed({ order: intentId, webhook_id: secret, at: at.toISOString() }),
    };
  },
};

behavesAsAPort(paypal);
