/**
 * A separate deployment for one test file: Postgres, Temporal, gateway, mail catcher, API and worker, each a process that can be
 * stopped, killed, frozen and started again. Our own programs run from dist/.
 */
import { mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { findTemporal } from '../../../development/stack/findTemporal.js';
import {
  apiProgram,
  gatewayProgram,
  mailboxProgram,
  ownerCommand,
  workerProgram,
} from '../../../development/stack/parts.js';
import { freePort } from '../../../development/stack/ports.js';
import { type Cluster, postgresProgram, prepareCluster, superuserUrl } from '../../../development/stack/postgres.js';
import { launch, type Program, type Running, stop, untilReady } from '../../../development/stack/program.js';
import { ensureDatabase, ensureRole, roleOf, withClient } from '../../../development/stack/roles.js';
import { PORTS, readSettings, type StackSettings } from '../../../development/stack/settings.js';
import { temporalProgram } from '../../../development/stack/temporal.js';
import { Client } from '../api.js';
import { closeOwner } from '../owner.js';
import { WEBHOOK_SECRET } from '../platform.js';
import { aLineTo, type Line } from './line.js';

export type Part = 'postgres' | 'temporal' | 'gateway' | 'mailbox' | 'api' | 'worker';

export interface OwnStack {
  settings: StackSettings;
  /** The proxy through which API and worker reach Postgres. */
  line: Line;
  client(person: { token?: string }, part?: string): Client;
  /** Starts a part; with `changes` to its environment, or as another process beside it under another name. */
  start(part: Part, changes?: NodeJS.ProcessEnv, name?: string): Promise<void>;
  stop(name: string): Promise<void>;
  signal(name: string, signal: NodeJS.Signals): void;
  pid(name: string): number;
  isRunning(name: string): boolean;
  /** The log lines of a part, over all its starts. */
  logOf(name: string): Record<string, unknown>[];
  /** SQL as the superuser, on the platform's database. */
  asSuperuser(text: string): Promise<Record<string, unknown>[]>;
  /** Movements of money at the gateway for a remittance. */
  moved(remittanceId: string): Promise<{ kind: string; amount_cents: number }[]>;
  mails(): Promise<{ to: string[]; subject: string }[]>;
  close(): Promise<void>;
}

const MOST_STARTS = 10;
const UNSAFE_BUT_FAST = { fsync: 'off', max_connections: 100, shared_buffers: '32MB' };

/** Starts everything, with `environment` for API and worker. Call in `beforeAll`, and `close` in `afterAll`. */
export async function startOwnStack(environment: NodeJS.ProcessEnv = {}): Promise<OwnStack> {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'membership-stack-'));
  const settings = await settingsIn(folder, environment);
  const cluster = await prepareCluster(path.join(folder, 'postgres'), settings.ports.postgres);
  const line = await aLineTo(settings.ports.postgres);
  const owner = settings.urls.owner as string;
  settings.urls.database = settings.urls.database.replace(`:${settings.ports.postgres}/`, `:${line.port}/`);
  process.env['DATABASE_OWNER_URL'] = owner;

  const running = new Map<string, Running>();
  const known = (name: string): Running => {
    const part = running.get(name);
    if (!part) throw new Error(`There is no ${name} here.`);
    return part;
  };
  const programs = await programsOf(settings, cluster);
  const ports = new Map<string, number>([['api', settings.ports.api]]);
  const start: OwnStack['start'] = async (part, changes = {}, name = part) => {
    const program = programs[part]();
    const port = name === 'api' ? settings.ports.api : await freePort();
    ports.set(name, port);
    const different = name === part ? {} : part === 'api' ? { PORT: String(port) } : {};
    const isReady = part === 'api' ? () => isServing(port) : () => program.isReady();
    const changed = { ...program, name, isReady, env: { ...program.env, ...different, ...changes } };
    await running.get(name)?.ended;
    for (let tries = 1; ; tries += 1) {
      running.set(name, await launch(changed, settings.logs));
      try {
        return await untilReady(known(name));
      } catch (error) {
        // Postgres does not start while backends of its killed predecessor still live, which takes a moment.
        if (part !== 'postgres' || tries === MOST_STARTS || known(name).isRunning()) throw error;
        await new Promise((resolve) => setTimeout(resolve, 500));
      }
    }
  };
  const stack: OwnStack = {
    settings,
    line,
    start,
    client: ({ token }, name = 'api') =>
      new Client(`http://127.0.0.1:${ports.get(name)}`, token === undefined ? {} : { token }),
    stop: (name) => stop(known(name), 10),
    signal: (name, signal) => known(name).signal(signal),
    pid: (name) => known(name).pid,
    isRunning: (name) => known(name).isRunning(),
    logOf: (name) => logLines(known(name).logFile),
    asSuperuser: (text) =>
      withClient(superuserUrl(cluster, roleOf(owner).database), async (client) => (await client.query(text)).rows),
    moved: (remittanceId) =>
      json(`http://127.0.0.1:${settings.ports.gatewayControl}/ledger?remittance_id=${remittanceId}`),
    mails: () => json(`http://127.0.0.1:${settings.ports.mailbox}/messages`),
    async close() {
      await closeOwner();
      // Clients stop before servers; frozen or hanging parts are not waited for.
      for (const part of [...running.values()].reverse()) {
        part.signal('SIGCONT');
        await stop(part, 3);
      }
      await line.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
  try {
    await Promise.all([startDatabase(stack, cluster, owner), start('temporal'), start('gateway'), start('mailbox')]);
    await Promise.all([start('api'), start('worker')]);
    return stack;
  } catch (error) {
    await stack.close();
    throw error;
  }
}

async function settingsIn(folder: string, environment: NodeJS.ProcessEnv): Promise<StackSettings> {
  mkdirSync(path.join(folder, 'postgres'));
  const given: NodeJS.ProcessEnv = {
    ...process.env,
    LOG_LEVEL: 'info',
    DATA_DIR: folder,
    DATABASE_POOL: '4',
    PAY_WAIT_SECONDS: '2',
    RELAY_SWEEP_SECONDS: '1',
    STRIPE_TIMEOUT_SECONDS: '2',
    STRIPE_WEBHOOK_SECRET: WEBHOOK_SECRET,
    TEMPORAL_TASK_QUEUE_PREFIX: '',
    ...environment,
  };
  for (const name of ['DATABASE_URL', 'DATABASE_OWNER_URL', 'TEMPORAL_ADDRESS']) delete given[name];
  for (const { variable } of Object.values(PORTS)) given[variable] = String(await freePort());
  return readSettings(given);
}

/** Everything that can be started; our own programs from their compiled files. */
async function programsOf(settings: StackSettings, cluster: Cluster): Promise<Record<Part, () => Program>> {
  const executable = await findTemporal((text) => console.error(text));
  const databaseFile = path.join(settings.dataDir, 'temporal.db');
  return {
    postgres: () => postgresProgram(cluster, UNSAFE_BUT_FAST),
    temporal: () => temporalProgram({ executable, port: settings.ports.temporal, databaseFile }),
    gateway: () => compiled(gatewayProgram(settings)),
    mailbox: () => compiled(mailboxProgram(settings)),
    api: () => compiled(apiProgram(settings)),
    worker: () => compiled(workerProgram(settings)),
  };
}

function compiled(program: Program): Program {
  const sources = path.join(path.resolve('.'), path.sep);
  const args = program.args.map((text) => text.replace(sources, path.join(path.resolve('dist'), path.sep)));
  return { ...program, args };
}

async function startDatabase(stack: OwnStack, cluster: Cluster, owner: string): Promise<void> {
  const { settings } = stack;
  await stack.start('postgres');
  const role = roleOf(owner);
  await withClient(superuserUrl(cluster), async (client) => {
    await ensureRole(client, role);
    await ensureRole(client, roleOf(settings.urls.database));
    await ensureDatabase(client, role.database, role.name);
  });
  const migrate = await launch(compiled(ownerCommand(settings, 'bin/migrate', ['up'])), settings.logs);
  if ((await migrate.ended).code !== 0) throw new Error(readFileSync(migrate.logFile, 'utf8'));
}

async function isServing(port: number): Promise<boolean> {
  const { ok } = await fetch(`http://127.0.0.1:${port}/readyz/`, { signal: AbortSignal.timeout(5000) });
  return ok;
}

const json = async <T>(url: string): Promise<T> => (await (await fetch(url)).json()) as T;

function logLines(file: string): Record<string, unknown>[] {
  const lines = readFileSync(file, 'utf8').split('\n');
  return lines.filter((text) => text.startsWith('{')).map((text) => JSON.parse(text) as Record<string, unknown>);
}
