/**
 * The programs of the benchmark's stack and their environment: production settings, with stand-ins for outside
 * services.
 */
import path from 'node:path';
import { SCOPES } from '../../api/http/throttles/scopes.js';
import { freePort } from '../stack/ports.js';
import type { Program } from '../stack/program.js';
import { PORTS, readSettings, type StackSettings } from '../stack/settings.js';
import { STORAGE } from '../stack/storage.js';
import { RELYING_PARTY } from './passkey.js';
import { SETTINGS } from './protocol.js';
import type { Secrets } from './secrets.js';

/** Throttles count as usual, but with limits that no client reaches. */
const UNREACHABLE_LIMITS = Object.fromEntries(Object.keys(SCOPES).map((scope) => [scope, 1_000_000_000]));

export interface BenchSettings {
  /** Settings of the API and the worker, as in production. */
  production: StackSettings;
  /** Settings of the commands that create the seed. */
  seed: StackSettings;
  /** Port of the stand-in for an organization's own storage. The API accepts this local address only here. */
  ownStorePort: number;
}

/**
 * Returns the settings of the benchmark's stack.
 * @param database the name of the measured database, which is a copy of the seeded one
 * @param seeded the name of the database with the stored seed
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
      // On a slow machine payments must show as slow, not as timeouts.
      PAY_WAIT_SECONDS: '60',
      THROTTLE_LIMITS: JSON.stringify(UNREACHABLE_LIMITS),
    }),
  };
}

/** Returns the variables that programs need from the environment, without settings of another deployment. */
function inherited(): NodeJS.ProcessEnv {
  const wanted = ['PATH', 'HOME', 'TMPDIR', 'LANG', 'XDG_CACHE_HOME', 'GOPATH', 'GOCACHE', 'GOPROXY', 'GOFLAGS'];
  return Object.fromEntries(wanted.flatMap((name) => (process.env[name] ? [[name, process.env[name]]] : [])));
}

async function freePorts(): Promise<Record<string, string>> {
  const ports: Record<string, string> = {};
  for (const { variable } of Object.values(PORTS)) ports[variable] = String(await freePort());
  return ports;
}

/**
 * Returns a helper process of the benchmark. It reads its settings from the environment and reports when it is ready.
 */
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

/** Returns the program with a CPU profile, which it writes to `folder` when it ends. */
export const profiled = (program: Program, folder: string | undefined): Program =>
  folder ? { ...program, args: ['--cpu-prof', `--cpu-prof-dir=${path.resolve(folder)}`, ...program.args] } : program;
