/** Every program of the bench's stack and its environment: production, with stand-ins for what lies outside. */
import path from 'node:path';
import { SCOPES } from '../../api/http/throttles/scopes.js';
import { freePort } from '../stack/ports.js';
import type { Program } from '../stack/program.js';
import { PORTS, readSettings, type StackSettings } from '../stack/settings.js';
import { STORAGE } from '../stack/storage.js';
import { RELYING_PARTY } from './passkey.js';
import { SETTINGS } from './protocol.js';
import type { Secrets } from './secrets.js';

/** Throttles count as ever; nobody reaches a limit like this. */
const UNREACHED = Object.fromEntries(Object.keys(SCOPES).map((scope) => [scope, 1_000_000_000]));

export interface BenchSettings {
  /** Of API and worker: as in production. */
  production: StackSettings;
  /** Of the commands that make the seed. */
  seed: StackSettings;
  /** Where an organization's own store is played, which only the bench can: the API lets nobody else in on this machine. */
  ownStorePort: number;
}

/**
 * @param database the name of the database that is measured
 * @param seeded the name of the one that it is a copy of
 */
export async function benchSettings(
  dataDir: string,
  { owner, runtime, jwt, data, payload, storage }: Secrets,
  names: { database: string; seeded: string },
): Promise<BenchSettings> {
  const ports = await freePorts();
  const databases = (name: string) => ({
    DATABASE_URL: `postgres://membership_runtime:${runtime}@127.0.0.1:${ports['POSTGRES_PORT']}/${name}`,
    DATABASE_OWNER_URL: `postgres://membership_owner:${owner}@127.0.0.1:${ports['POSTGRES_PORT']}/${name}`,
  });
  const ownStorePort = await freePort();
  const common = { ...inherited(), ...ports, DATA_DIR: dataDir, DATA_KEYS: `bench:${data}` };
  return {
    ownStorePort,
    seed: readSettings({ ...common, ...databases(names.seeded) }),
    production: readSettings({
      ...common,
      ...databases(names.database),
      NODE_ENV: 'production',
      BACKEND_URL: 'https://api.bench.example',
      FRONTEND_URL: RELYING_PARTY.origin,
      WEBAUTHN_RP_ID: RELYING_PARTY.id,
      NUM_PROXIES: '1',
      JWT_KEYS: `bench:${jwt}`,
      TEMPORAL_PAYLOAD_KEYS: `bench:${payload}`,
      WORKER_QUEUES: 'payments',
      STORAGE_BUCKET: STORAGE.bucket,
      STORAGE_ENDPOINT: `http://127.0.0.1:${ports['STORAGE_PORT']}`,
      STORAGE_ACCESS_KEY_ID: STORAGE.accessKeyId,
      STORAGE_SECRET_ACCESS_KEY: storage,
      STORAGE_ALLOWED_HOSTS: `127.0.0.1:${ownStorePort}`,
      // A slow machine is to show as slow, not as payments that are given up.
      PAY_WAIT_SECONDS: '60',
      THROTTLE_LIMITS: JSON.stringify(UNREACHED),
    }),
  };
}

/** What programs need of the environment that we run in, without settings of some other deployment. */
function inherited(): NodeJS.ProcessEnv {
  const wanted = ['PATH', 'HOME', 'TMPDIR', 'LANG', 'XDG_CACHE_HOME', 'GOPATH', 'GOCACHE', 'GOPROXY', 'GOFLAGS'];
  return Object.fromEntries(wanted.flatMap((name) => (process.env[name] ? [[name, process.env[name]]] : [])));
}

async function freePorts(): Promise<Record<string, string>> {
  const ports: Record<string, string> = {};
  for (const { variable } of Object.values(PORTS)) ports[variable] = String(await freePort());
  return ports;
}

/** A helper of the bench as a program: told its settings, ready when it says so. */
export function helper(name: string, environment: NodeJS.ProcessEnv, settings: object = {}): Program {
  return {
    name,
    command: process.execPath,
    args: ['--enable-source-maps', path.join(__dirname, `${name}.js`)],
    env: { ...environment, [SETTINGS]: JSON.stringify(settings) },
    stopSignal: 'SIGTERM',
    supervised: true,
    reportsReady: true,
    isReady: async () => true,
  };
}

/** The program, writing a profile of its processor time into `folder` when it ends. */
export const profiled = (program: Program, folder: string | undefined): Program =>
  folder ? { ...program, args: ['--cpu-prof', `--cpu-prof-dir=${path.resolve(folder)}`, ...program.args] } : program;
