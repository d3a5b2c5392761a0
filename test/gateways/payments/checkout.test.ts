import { randomUUID } from 'node:crypto';
import { config } from '../../../config.js';
import { checkoutSignature } from '../../../development/standins/checkout/hooks.js';
import { startCheckoutStandin } from '../../../development/standins/checkout/server.js';
import { CARDS } from '../../../development/standins/checkout/state.js';
import { accountOf } from '../../../gateways/payments/checkout/account.js';
import { checkoutPort } from '../../../gateways/payments/checkout/port.js';
import { OutcomeUnknown } from '../../../gateways/payments/port.js';
import { everyMovement } from '../../../gateways/payments/portLedger.js';
import { paymentPort } from '../../../gateways/payments/processors.js';
import { eventually } from '../../support/eventually.js';
import { atControlPort } from './atControlPort.js';
import { behavesAsAPort, type Operations, type ProviderUnderTest } from './contract.js';
import { opened } from './opened.js';

const OPERATIONS: Operations = {
  open: 'create',
  confirm: 'capture',
  cancel: 'void',
  refund: 'refund',
  page: 'page',
  forget: 'forget',
};

function signed(type: string, data: object, secret: string, at: Date) {
  const body = JSON.stringify({ id: `evt_${randomUUID()}`, type, timestamp: at.toISOString(), data });
  return { rawBody: Buffer.from(body), headers: { 'cko-signature': checkoutSignature(body, secret) } };
}

const credentialsOf = (account: string) => ({
  secret_key: `sk_sbox_${account.padEnd(27, 'k')}`,
  processing_channel_id: `pc_${account.padEnd(26, 'c')}`,
  subdomain: `subdomainof${account}`,
});
const linkIn = (url: string): string => new URL(url).pathname.split('/')[2] ?? '';
function unlessUnknown(error: unknown): null {
  if (error instanceof OutcomeUnknown) return null;
  throw error;
}
const enter = (url: string, token: string) =>
  fetch(url, { method: 'POST', body: new URLSearchParams({ token }), redirect: 'manual' });

async function start() {
  const standin = await startCheckoutStandin({ port: 0, controlPort: 0 });
  Object.assign(config, { CHECKOUT_API_URL: standin.url, STRIPE_TIMEOUT_SECONDS: 2 });
  return { ...standin, ...atControlPort(standin, OPERATIONS) };
}

const checkout: ProviderUnderTest = {
  provider: 'checkout',
  pages: 'endless',
  credentials: credentialsOf,
  cards: {
    good: CARDS.good,
    declined: CARDS.declined,
    pendingRefund: CARDS.refundPending,
    authenticationRequired: CARDS.authenticationRequired,
  },
  async start() {
    const { control, common, disputes } = await start();
    return {
      ...common,
      revoke: ({ secret_key }) => control('/keys', { key: secret_key, revoked: true }),
      // The payment is authorized; the capture is made by the next look at the page, as its process does.
      async payOnPage(url, card) {
        await enter(url, card);
        await checkoutPort(credentialsOf('one')).readHostedPayment(linkIn(url));
      },
      changeKeptCard: (charge, becomes) => control('/kept-cards', { charge, becomes }),
      disputes: {
        ...disputes,
        event: async ({ intentId, dispute: id, secret, at }) =>
          signed('dispute_won', { id, payment_id: intentId, amount: 1, currency: 'USD' }, secret, at),
      },
      event: async ({ intentId, amountCents, reference, secret, at }) => {
        const data = { id: intentId, action_id: 'act_1', amount: amountCents, currency: 'USD', metadata: reference };
        return signed('payment_captured', data, secret, at);
      },
    };
  },
};

behavesAsAPort(checkout);

describe('with its stand-in', () => {
  let standin: Awaited<ReturnType<typeof start>>;
  const port = () => paymentPort({ provider: 'checkout', credentials: credentialsOf('one') });
  const moved = async () => (await fetch(standin.ledgerUrl)).json();
  const statuses = async () => {
    const payments = await (await fetch(`${standin.controlUrl}/payments`)).json();
    return (payments as { status: string }[]).map(({ status }) => status);
  };
  const aPage = (attempt: string) =>
    port().openHostedPayment({
      amountCents: 5_000,
      currency: 'usd',
      description: 'Dues',
      reference: { attempt_id: attempt },
      idempotencyKey: `hosted:${attempt}:1`,
      doneUrl: 'https://app.example.org/billing/invoices/1?payment=done',
      cancelUrl: 'https://app.example.org/billing/invoices/1',
    });
  beforeEach(async () => {
    standin = await start();
  });
  afterEach(() => standin.close());

  test('a capture that the bank refuses is a declined card, and its authorization is voided', async () => {
    const attempt = randomUUID();
    const intentId = await opened(port(), {
      amountCents: 5_000,
      currency: 'usd',
      reference: { attempt_id: attempt },
      paymentMethod: CARDS.captureDeclined,
      idempotencyKey: `open:${attempt}`,
    });
    await port().confirmCharge({ intentId, paymentMethod: '', idempotencyKey: `confirm:${attempt}:0` });
    const refused = await eventually(
      () => port().readCharge(intentId),
      ({ status }) => status !== 'processing',
    );
    expect(refused).toMatchObject({ status: 'declined', failureCode: '20068' });
    expect(await port().cancelCharge(intentId)).toMatchObject({ status: 'cancelled' });
    expect(await moved()).toEqual([]);
  });

  test('a page stays open until it expires, and a payment on it after its cancellation is voided', async () => {
    const { sessionId, url, expiresAt } = await aPage(randomUUID());
    expect(expiresAt.getTime() - Date.now()).toBeLessThanOrEqual(1_800_000);
    expect(await port().expireHostedPayment(sessionId)).toEqual({ status: 'open' });
    await enter(url ?? '', CARDS.good);
    expect(await port().expireHostedPayment(sessionId)).toEqual({ status: 'closed' });
    expect([await statuses(), await moved()]).toEqual([['Voided'], []]);
  });

  test('an unpaid page ends at its expiry, and accepts no card any more', async () => {
    const { sessionId, url } = await aPage(randomUUID());
    await standin.control('/links/expire', {});
    expect(await port().readHostedPayment(sessionId)).toEqual({ status: 'closed' });
    expect((await enter(url ?? '', CARDS.good)).status).toBe(404);
    expect(await statuses()).toEqual([]);
  });

  test('one of two paid pages of an attempt is captured, and the other is voided', async () => {
    const attempt = randomUUID();
    const pages = [await aPage(attempt), await aPage(attempt)];
    for (const { url } of pages) await enter(url ?? '', CARDS.good);
    // One of two simultaneous captures may get the answer that the other is running: a second look tells.
    const looks = pages.map(({ sessionId }) => port().readHostedPayment(sessionId).catch(unlessUnknown));
    const states = await Promise.all(looks);
    expect(states.map((state) => state?.status)).toContain('paid');
    for (const { sessionId } of pages)
      expect(await port().readHostedPayment(sessionId)).toMatchObject({ status: 'paid', capturedCents: 5_000 });
    expect(await moved()).toMatchObject([{ kind: 'capture', amount_cents: 5_000 }]);
    expect((await statuses()).toSorted()).toEqual(['Captured', 'Voided']);
  });

  test('a page whose capture the bank refuses is closed without a payment or an authorization', async () => {
    const { sessionId, url } = await aPage(randomUUID());
    await enter(url ?? '', CARDS.captureDeclined);
    expect(await port().readHostedPayment(sessionId)).toEqual({ status: 'closed' });
    expect([await statuses(), await moved()]).toEqual([['Voided'], []]);
  });

  test('a period with more payments than one answer holds is read in halves, and each payment is returned once', async () => {
    const { secret_key } = credentialsOf('one');
    const headers = { Authorization: `Bearer ${secret_key}`, 'Content-Type': 'application/json' };
    const ask = async (path: string, body: object) =>
      (await (await fetch(standin.url + path, { method: 'POST', headers, body: JSON.stringify(body) })).json()) as {
        id: string;
      };
    const source = { type: 'token', token: CARDS.good };
    const charge = { source, amount: 100, currency: 'USD', processing_channel_id: 'pc_1', capture: false };
    const from = new Date(Date.now() - 3_600_000);
    for (const many of [150, 150]) {
      const paid = await Promise.all(Array.from({ length: many }, () => ask('/payments', charge)));
      await Promise.all(paid.map(({ id }) => ask(`/payments/${id}/captures`, {})));
      await new Promise((resolve) => setTimeout(resolve, 1_100));
    }
    const movementIds: string[] = [];
    for await (const { movementId } of everyMovement(port(), { from, to: new Date() })) movementIds.push(movementId);
    expect([movementIds.length, new Set(movementIds).size]).toEqual([300, 300]);
  });
});

test.each(['evil.example.org/', 'a.b', 'pl-abc', 'abc\n', ''])(
  '%j is no valid subdomain, and no request is sent',
  (subdomain) => {
    const credentials = { ...credentialsOf('one'), subdomain };
    expect(() => accountOf(credentials)).toThrow(expect.objectContaining({ field: 'subdomain' }));
  },
);
