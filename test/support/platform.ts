/** The whole platform for one test file: API, worker, relay and the gateway stand-in, over its own database and queues. */
import { type ChildProcess, spawn } from 'node:child_process';
import path from 'node:path';
import { config } from '../../config.js';
import { type Relay, startRelay } from '../../activities/relay.js';
import { createWorkers } from '../../activities/worker.js';
import { type Standin, startStandin } from '../../development/standins/payments/server.js';
import { closeTemporal } from '../../gateways/temporal/client.js';
import { registerSearchAttributes } from '../../gateways/temporal/searchAttributes.js';
import { encrypt } from '../../models/database/encryption.js';
import { Client, type RunningApi, startApi } from './api.js';
import { eventually } from './eventually.js';
import { expectSoundLedger } from './ledger.js';
import { asOwner, closeOwner } from './owner.js';
import type { World } from './world.js';

export { eventually };

export const WEBHOOK_SECRET = 'whsec_test_secret_of_the_processor';

export interface Platform {
  api: RunningApi;
  gateway: Standin;
  client(person: { token: string }, headers?: Record<string, string>): Client;
  /** Sets a fault on the gateway's control port. */
  fault(fault: Record<string, unknown>): Promise<void>;
  clearFaults(): Promise<void>;
  /** Revokes a key of the gateway, or assigns it to another key's account. */
  changeKey(order: { key: string; same_account_as?: string; revoked?: boolean }): Promise<void>;
  /** Sets the bank's outcome of a refund, days later. */
  concludeRefund(order: { refund: string; status: 'succeeded' | 'failed' }): Promise<void>;
  /** Changes the behaviour of a kept card: from now on, its charges end in this way. */
  changeKeptCard(order: { payment_intent: string; becomes: string }): Promise<void>;
  /** Sends events of the processor's account, if they name no processor, to the processor's own address too, like a real gateway. */
  hear(processorId: string, accountKey: string, types: string[]): Promise<void>;
  /** Resolves when the gateway holds a request. */
  held(): Promise<unknown>;
  release(): Promise<void>;
  /** Movements of money for a remittance. */
  moved(remittanceId: string): Promise<{ kind: string; amount_cents: number; payment_intent: string }[]>;
  close(): Promise<void>;
}

export interface PlatformOptions {
  /** `none`: the test runs worker processes of its own. */
  worker?: 'in-process' | 'none';
  dataDir?: string;
}

/**
 * The platform of a test file: started before its tests, without faults and with a sound ledger after each of them, ended after
 * all. The object exists at once, and is filled before the file's own hooks run.
 */
export function aPlatform(): Platform {
  const platform = {} as Platform;
  beforeAll(async () => void Object.assign(platform, await startPlatform()));
  afterEach(async () => {
    await platform.clearFaults();
    await expectSoundLedger();
  });
  afterAll(() => platform.close());
  return platform;
}

/** Starts everything. Call in `beforeAll`. */
export async function startPlatform({ worker = 'in-process', dataDir }: PlatformOptions = {}): Promise<Platform> {
  await registerSearchAttributes();
  const gateway = await startStandin({ port: 0, controlPort: 0, ...(dataDir ? { dataDir } : {}) });
  Object.assign(config, { STRIPE_API_URL: gateway.url, STRIPE_TIMEOUT_SECONDS: 2, RELAY_SWEEP_SECONDS: 1 });
  const api = await startApi();
  await control(gateway, 'POST', '/webhook-endpoints', {
    url: `${api.url}/api/finances/webhooks/processor/`,
    secret: WEBHOOK_SECRET,
  });
  const stopWorker = worker === 'in-process' ? await runWorker() : async () => undefined;
  return {
    api,
    gateway,
    client: (person, headers = {}) => new Client(api.url, { token: person.token, headers }),
    fault: (fault) => control(gateway, 'POST', '/faults', fault),
    clearFaults: () => control(gateway, 'DELETE', '/faults'),
    changeKey: (order) => control(gateway, 'POST', '/keys', order),
    concludeRefund: (order) => control(gateway, 'POST', '/refunds', order),
    changeKeptCard: (order) => control(gateway, 'POST', '/kept-cards', order),
    hear: (processorId, accountKey, types) =>
      control(gateway, 'POST', '/webhook-endpoints', {
        account_key: accountKey,
        url: `${api.url}/api/finances/webhooks/processor/?processor=${processorId}`,
        secret: WEBHOOK_SECRET,
        enabled_events: types,
      }),
    held: () =>
      eventually(
        async () => ((await (await fetch(`${gateway.controlUrl}/faults`)).json()) as { waiting: number }).waiting,
        (waiting) => waiting > 0,
      ),
    release: () => control(gateway, 'POST', '/release', {}),
    moved: async (remittanceId) =>
      (await (await fetch(`${gateway.ledgerUrl}?remittance_id=${remittanceId}`)).json()) as {
        kind: string;
        amount_cents: number;
        payment_intent: string;
      }[],
    async close() {
      await control(gateway, 'DELETE', '/faults');
      await stopWorker();
      await gateway.close();
      await api.close();
      await closeTemporal();
      await closeOwner();
    },
  };
}

async function control(gateway: Standin, method: string, where: string, body?: unknown): Promise<void> {
  const response = await fetch(gateway.controlUrl + where, {
    method,
    headers: { 'Content-Type': 'application/json' },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  if (!response.ok) throw new Error(`The gateway's control port answered ${response.status}: ${await response.text()}`);
}

async function runWorker(): Promise<() => Promise<void>> {
  const workers = await createWorkers();
  const running = workers.run();
  const relay: Relay = startRelay();
  return async () => {
    workers.shutdown();
    await running;
    await relay.stop();
  };
}

/**
 * A separate program beside the gateway stand-in. Needs the compiled project.
 * @param more of its environment @param output its file descriptor for output
 */
export function spawnPart(
  part: 'api' | 'worker',
  gateway: Pick<Standin, 'url'>,
  more: NodeJS.ProcessEnv = {},
  output: number | 'ignore' = 'ignore',
): ChildProcess {
  return spawn(process.execPath, [path.resolve(`dist/bin/${part}.js`)], {
    env: {
      ...process.env,
      STRIPE_API_URL: gateway.url,
      STRIPE_TIMEOUT_SECONDS: '2',
      RELAY_SWEEP_SECONDS: '1',
      ...more,
    },
    stdio: ['ignore', output, output],
  });
}

/** Connects a separate active Stripe account to an organization. @returns the processor's id */
export async function aProcessor(world: Pick<World, 'organizationId'>): Promise<string> {
  const rows = await asOwner<{ id: string }>('SELECT uuidv7() AS id');
  const rowId = (rows[0] as { id: string }).id;
  const sealed = (column: string, secret: string) =>
    encrypt(secret, { table: 'org_payment_processors', column, rowId });
  await asOwner(
    `INSERT INTO org_payment_processors (id, organization_id, provider, label, publishable_key, secret_key_encrypted, webhook_secret_encrypted)
     VALUES ($1, $2, 'stripe', 'Cards', 'pk_test_x', $3, $4)`,
    [
      rowId,
      world.organizationId,
      sealed('secret_key_encrypted', `sk_test_${rowId.replaceAll('-', '')}`),
      sealed('webhook_secret_encrypted', WEBHOOK_SECRET),
    ],
  );
  return rowId;
}
