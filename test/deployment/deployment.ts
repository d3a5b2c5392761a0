/** The platform as it is deployed: processes in production mode behind a proxy, and a real pooler before Postgres. */
import { type ChildProcess, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { closeSync, mkdtempSync, openSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { findPgbouncer } from '../../development/stack/findPgbouncer.js';
import { type Pooler, pgbouncerProgram, poolerUrl } from '../../development/stack/pgbouncer.js';
import { freePort } from '../../development/stack/ports.js';
import { launch, lastLines, type Running, stop, untilReady } from '../../development/stack/program.js';
import { ensureRole, roleOf, withClient } from '../../development/stack/roles.js';
import { config } from '../../config.js';
import { type Catcher, startCatcher } from '../../development/standins/mail/catcher.js';
import { type Standin, startStandin } from '../../development/standins/payments/server.js';
import { closeTemporal, temporal } from '../../gateways/temporal/client.js';
import { scheduleId } from '../../gateways/temporal/schedules.js';
import { SCHEDULES } from '../../workflows/schedules.js';
import { databaseUrl, FACTS, type Facts } from '../support/environment/facts.js';
import { closeOwner } from '../support/owner.js';
import { eventually } from '../support/platform.js';
import { type Proxy, startProxy } from '../../development/stack/cluster/proxy.js';

const ROOT = path.resolve(__dirname, '../..');
const START_SECONDS = 120;
/** Fewer than the processes would open, so that they share connections. */
const POOLED_CONNECTIONS = 6;

const facts = JSON.parse(process.env[FACTS] ?? 'null') as Facts;
const superuserUrl = databaseUrl(
  facts.postgresPort,
  { name: 'postgres', password: facts.superuserPassword },
  roleOf(process.env['DATABASE_URL'] as string).database,
);

const secret = () => randomBytes(32).toString('base64');
export const aKeyRing = (id: string) => [{ id, secret: secret() }];
export const ringText = (keys: { id: string; secret: string }[]): string =>
  keys.map((key) => `${key.id}:${key.secret}`).join(',');

/** One of our own processes. */
export interface Part {
  url: string;
  process: ChildProcess;
  log: string;
}

export interface Deployment {
  proxy: Proxy;
  apis: Part[];
  workers: Part[];
  gateway: Standin;
  mailbox: Catcher;
  /** The connection string of the processes: through the pooler. */
  pooledUrl: string;
  superuserUrl: string;
  startApi(port?: number, differences?: NodeJS.ProcessEnv): Promise<Part>;
  startWorker(differences?: NodeJS.ProcessEnv): Promise<Part>;
  close(): Promise<void>;
}

export interface DeploymentOptions {
  apis: number;
  workers: number;
  environment?: NodeJS.ProcessEnv;
}

/** Starts everything. The keys of this process become the deployment's, so that the test can sign and encrypt for it. */
export async function startDeployment({ apis, workers, environment = {} }: DeploymentOptions): Promise<Deployment> {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'membership-deployment-'));
  const [pooler, gateway, mailbox] = await Promise.all([
    startPooler(folder),
    startStandin({ port: 0, controlPort: 0 }),
    startCatcher({ smtpPort: 0, httpPort: 0 }),
  ]);
  Object.assign(config, {
    JWT_KEYS: aKeyRing('jwt-1'),
    DATA_KEYS: aKeyRing('data-1'),
    TEMPORAL_PAYLOAD_KEYS: aKeyRing('payload-1'),
  });
  const parts: Part[] = [];
  const shared = { ...productionEnvironment(folder, pooler.settings, gateway, mailbox), ...environment };
  const start = async (program: string, port: number, differences: NodeJS.ProcessEnv) => {
    const log = path.join(folder, `${program}-${parts.length}.log`);
    const environmentOfPart: NodeJS.ProcessEnv = { ...shared, PORT: String(port), ...differences };
    for (const name of Object.keys(differences)) delete environmentOfPart[`${name}_FILE`];
    const part = startPart(program, environmentOfPart, port, log);
    parts.push(part);
    await untilUp(part, program);
    return part;
  };
  const startApi = async (port?: number, differences = {}) => start('api', port ?? (await freePort()), differences);
  const startWorker = (differences = {}) => start('worker', 0, differences);
  const close = async () => {
    await Promise.all(parts.map((part) => end(part, 'SIGKILL')));
    await Promise.all(
      SCHEDULES.map(({ id }) =>
        temporal()
          .schedule.getHandle(scheduleId(id))
          .delete()
          .catch(() => null),
      ),
    );
    await Promise.all([gateway.close(), mailbox.close(), closeTemporal(), closeOwner()]);
    await pooler.close();
    rmSync(folder, { recursive: true, force: true });
  };
  const times = <T>(count: number, make: () => Promise<T>) => Promise.all(Array.from({ length: count }, make));
  try {
    const [startedApis, startedWorkers] = await Promise.all([
      times(apis, () => startApi()),
      times(workers, () => startWorker()),
    ]);
    const proxy = await startProxy(startedApis.map(({ url }) => url));
    return {
      proxy,
      apis: startedApis,
      workers: startedWorkers,
      gateway,
      mailbox,
      pooledUrl: poolerUrl(pooler.settings),
      superuserUrl,
      startApi,
      startWorker,
      close: async () => {
        await proxy.close();
        await close();
      },
    };
  } catch (error) {
    await close();
    throw error;
  }
}

/** Sends a signal to a process and waits for its end. @returns its exit code, or null when the signal ended it */
export async function end({ process: child }: Part, signal: NodeJS.Signals): Promise<number | null> {
  if (child.exitCode !== null || child.signalCode !== null) return child.exitCode;
  child.kill(signal);
  await once(child, 'exit');
  return child.exitCode;
}

/** A pooler with one role: a member of the runtime role, with a password that production accepts. */
async function startPooler(folder: string): Promise<{ settings: Pooler; close: () => Promise<void> }> {
  const { database } = roleOf(process.env['DATABASE_URL'] as string);
  const role = { name: `${database}_pooled`, password: randomBytes(18).toString('base64url') };
  await withClient(superuserUrl, async (client) => {
    await ensureRole(client, role);
    await client.query(`GRANT membership_runtime TO ${role.name}`);
  });
  const settings = {
    pgbouncer: await findPgbouncer((line) => console.error(line)),
    directory: path.join(folder, 'pooler'),
    port: await freePort(),
    role,
    postgres: { port: facts.postgresPort, database },
    size: POOLED_CONNECTIONS,
  };
  const running: Running = await launch(pgbouncerProgram(settings, ROOT), path.join(folder, 'logs'));
  await untilReady(running);
  const close = async () => {
    await stop(running, 2);
    await withClient(superuserUrl, (client) => client.query(`DROP ROLE ${role.name}`));
  };
  return { settings, close };
}

/** Secrets come from files, as in the compose file. */
function productionEnvironment(folder: string, pooler: Pooler, gateway: Standin, mailbox: Catcher): NodeJS.ProcessEnv {
  const { JWT_KEYS, DATA_KEYS, TEMPORAL_PAYLOAD_KEYS = [] } = config;
  const secrets = {
    DATABASE_URL: poolerUrl(pooler),
    DATABASE_LISTEN_URL: databaseUrl(pooler.postgres.port, pooler.role, pooler.postgres.database),
    JWT_KEYS: ringText(JWT_KEYS),
    DATA_KEYS: ringText(DATA_KEYS),
    TEMPORAL_PAYLOAD_KEYS: ringText(TEMPORAL_PAYLOAD_KEYS),
    SMTP_URL: `${mailbox.smtpUrl}?ignoreTLS=true`,
  };
  const files = Object.entries(secrets).map(([name, value]) => {
    const file = path.join(folder, name.toLowerCase());
    writeFileSync(file, `${value}\n`, { mode: 0o600 });
    return [`${name}_FILE`, file];
  });
  return {
    PATH: process.env['PATH'],
    NODE_ENV: 'production',
    LOG_LEVEL: 'info',
    NUM_PROXIES: '1',
    BACKEND_URL: 'https://api.example.org',
    FRONTEND_URL: 'https://app.example.org',
    WEBAUTHN_RP_ID: 'example.org',
    DATABASE_POOL: '8',
    TEMPORAL_ADDRESS: config.TEMPORAL_ADDRESS,
    TEMPORAL_TASK_QUEUE_PREFIX: config.TEMPORAL_TASK_QUEUE_PREFIX,
    WORKFLOW_BUNDLE: config.WORKFLOW_BUNDLE,
    STRIPE_API_URL: gateway.url,
    STRIPE_TIMEOUT_SECONDS: '2',
    ...Object.fromEntries(files),
  };
}

function startPart(program: string, env: NodeJS.ProcessEnv, port: number, log: string): Part {
  const output = openSync(log, 'a');
  const child = spawn(process.execPath, ['--enable-source-maps', path.join(ROOT, 'dist', 'bin', `${program}.js`)], {
    env,
    // With a channel, the process ends with this one, even when this one is killed.
    stdio: ['ignore', output, output, 'ipc'],
  });
  closeSync(output);
  return { url: `http://127.0.0.1:${port}`, process: child, log };
}

async function untilUp({ url, process: child, log }: Part, program: string): Promise<void> {
  const isUp = async () => {
    if (child.exitCode !== null) throw new Error(`${program} ended:\n${lastLines(log)}`);
    if (program === 'worker') return lastLines(log, 200).includes('the worker is ready');
    return fetch(`${url}/readyz/`).then(
      ({ ok }) => ok,
      () => false,
    );
  };
  await eventually(isUp, Boolean, START_SECONDS).catch((error: Error) => {
    throw new Error(`${error.message}\n${lastLines(log)}`);
  });
}
