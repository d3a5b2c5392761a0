/** Shared by the stand-in's tests: instances, SDK clients, control requests and a webhook receiver, all closed after each test. */
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import StripeSdk from 'stripe';
import { startStandin, type Standin, type StandinOptions } from '../../../../development/standins/payments/server.js';

const closers: (() => Promise<unknown>)[] = [];

/** Call in `afterEach`. */
export async function closeAll(): Promise<void> {
  for (const close of closers.splice(0).reverse()) await close();
}

export interface Instance extends Standin {
  control: (method: string, path: string, body?: unknown) => Promise<{ status: number; body: never }>;
  stripe: (key?: string, options?: { maxNetworkRetries?: number }) => StripeSdk;
}

/** A stand-in on free ports. */
export async function startInstance(options: Partial<StandinOptions> = {}): Promise<Instance> {
  const standin = await startStandin({ port: 0, controlPort: 0, ...options });
  closers.push(() => standin.close());
  return {
    ...standin,
    control: async (method, path, body) => {
      const init = body === undefined ? { method } : { method, body: JSON.stringify(body) };
      const response = await fetch(`${standin.controlUrl}${path}`, init);
      return { status: response.status, body: (await response.json()) as never };
    },
    stripe: (key = 'sk_test_one', more = {}) => {
      const { hostname, port } = new URL(standin.url);
      const fresh = new http.Agent({ keepAlive: false });
      const httpClient = StripeSdk.createNodeHttpClient(fresh);
      return new StripeSdk(key, { host: hostname, port, protocol: 'http', maxNetworkRetries: 0, httpClient, ...more });
    },
  };
}

/** Parameters of a create with confirmation. */
export function payment(remittance: string, card = 'pm_card_visa', amount = 2500): StripeSdk.PaymentIntentCreateParams {
  return {
    amount,
    currency: 'usd',
    confirm: true,
    payment_method: card,
    automatic_payment_methods: { enabled: true, allow_redirects: 'never' },
    metadata: { remittance_id: remittance },
  };
}

/** Returns the error that a promise rejects with. */
export async function failure(promise: Promise<unknown>): Promise<StripeSdk.errors.StripeError> {
  return promise.then(
    () => {
      throw new Error('it was expected to fail');
    },
    (error: unknown) => error as StripeSdk.errors.StripeError,
  );
}

export const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

/** Waits until the condition holds. */
export async function until(condition: () => boolean | Promise<boolean>, timeoutMs = 4000): Promise<void> {
  const deadline = Date.now() + timeoutMs;
  while (!(await condition())) {
    if (Date.now() > deadline) throw new Error('it did not come true in time');
    await pause(10);
  }
}

export interface Received {
  signature: string;
  body: string;
  event: StripeSdk.Event;
}

/** A webhook receiver that answers with the given statuses, then with 200. */
export async function startReceiver(
  ...statuses: number[]
): Promise<{ url: string; received: Received[]; close: () => Promise<void> }> {
  const received: Received[] = [];
  const server = http.createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const body = Buffer.concat(chunks).toString('utf8');
      received.push({
        signature: String(request.headers['stripe-signature']),
        body,
        event: JSON.parse(body) as StripeSdk.Event,
      });
      response.writeHead(statuses.shift() ?? 200).end();
    });
  });
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  const close = (): Promise<void> =>
    new Promise((resolve) => {
      server.close(() => resolve());
      server.closeAllConnections();
    });
  closers.push(close);
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`, received, close };
}
