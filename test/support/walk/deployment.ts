/** API and worker as separate processes, over this test file's database and queues, to be stopped in any way. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { freePort } from '../../../development/stack/ports.js';
import { type Standin, startStandin } from '../../../development/standins/payments/server.js';
import { registerSearchAttributes } from '../../../gateways/temporal/searchAttributes.js';
import { Client } from '../api.js';
import { eventually, WEBHOOK_SECRET } from '../platform.js';

export type Program = 'api' | 'worker';

export interface Deployment {
  gateway: Standin;
  client(person: { token: string }): Client;
  /** A request to the gateway's control port. @returns its answer */
  gatewayControl<T = unknown>(method: string, where: string, body?: unknown): Promise<T>;
  /** Has the gateway send the events of an account. */
  sendEventsOf(processorId: string, accountKey: string): Promise<unknown>;
  /** SIGTERM lets it finish, SIGKILL does not. Resolves when its successor runs. */
  restart(program: Program, signal: 'SIGTERM' | 'SIGKILL'): Promise<void>;
  close(): Promise<void>;
}

/** Needs the compiled project. */
export async function deploy(): Promise<Deployment> {
  await registerSearchAttributes();
  const gateway = await startStandin({ port: 0, controlPort: 0 });
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  const running = new Map<Program, ChildProcess>();
  const start = async (program: Program): Promise<void> => {
    const child = spawn(process.execPath, [path.resolve(`dist/bin/${program}.js`)], {
      env: { ...process.env, PORT: String(port), STRIPE_API_URL: gateway.url, ...IMPATIENT },
      stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
    });
    running.set(program, child);
    // A worker reports that it is ready, an API is polled.
    if (program === 'worker') await once(child, 'message');
    else
      await eventually(
        () => isServing(url),
        (serving) => serving,
        60,
      );
  };
  const end = async (program: Program, signal: NodeJS.Signals): Promise<void> => {
    const child = running.get(program);
    if (!child || child.exitCode !== null || child.signalCode !== null) return;
    child.kill(signal);
    await once(child, 'exit');
  };
  await Promise.all([start('api'), start('worker')]);
  const gatewayControl: Deployment['gatewayControl'] = async <T>(method: string, where: string, body?: unknown) => {
    const response = await fetch(gateway.controlUrl + where, {
      method,
      headers: { 'Content-Type': 'application/json' },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    if (!response.ok) throw new Error(`The gateway's control port: ${response.status} ${await response.text()}`);
    return (await response.json()) as T;
  };
  return {
    gateway,
    gatewayControl,
    sendEventsOf: (processorId, accountKey) =>
      gatewayControl('POST', '/webhook-endpoints', {
        account_key: accountKey,
        url: `${url}/api/finances/webhooks/processor/?processor=${processorId}`,
        secret: WEBHOOK_SECRET,
      }),
    client: ({ token }) => new Client(url, { token }),
    restart: async (program, signal) => {
      await end(program, signal);
      await start(program);
    },
    close: async () => {
      await Promise.all([end('api', 'SIGKILL'), end('worker', 'SIGKILL')]);
      await gateway.close();
    },
  };
}

/** Short timeouts, so that a request to a part that is gone fails soon. */
const IMPATIENT = {
  STRIPE_TIMEOUT_SECONDS: '2',
  RELAY_SWEEP_SECONDS: '1',
  PAY_WAIT_SECONDS: '2',
  SHUTDOWN_GRACE_SECONDS: '5',
};

async function isServing(url: string): Promise<boolean> {
  try {
    return (await fetch(`${url}/readyz/`, { signal: AbortSignal.timeout(5_000) })).ok;
  } catch {
    return false;
  }
}
