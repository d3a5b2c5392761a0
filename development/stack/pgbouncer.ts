/** Runs pgbouncer with the same script and settings as the deployment. */
import { chownSync, mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { Client } from 'pg';
import type { Program } from './program.js';
import type { Role } from './roles.js';
import { asServerUser, serverUser } from './serverUser.js';

export interface Pooler {
  /** Path of the command. */
  pgbouncer: string;
  /** Folder for its configuration. */
  directory: string;
  port: number;
  /** The role that clients connect as. pgbouncer uses it to connect to Postgres too. */
  role: Role;
  postgres: { port: number; database: string };
  /** Maximum number of connections that pgbouncer opens to Postgres. */
  size: number;
}

const SCRIPT = path.join('docker', 'pooler.sh');

/** Returns the address that clients of the pooler connect to. */
export const poolerUrl = ({ role, port }: Pooler): string =>
  `postgres://${role.name}:${encodeURIComponent(role.password)}@127.0.0.1:${port}/membership`;

/**
 * Returns pgbouncer as a program.
 * @param root the project's folder
 */
export function pgbouncerProgram(pooler: Pooler, root: string): Program {
  const { pgbouncer, directory, port, role, postgres, size } = pooler;
  const passwordFile = path.join(directory, 'runtime.password');
  mkdirSync(directory, { recursive: true });
  writeFileSync(passwordFile, role.password, { mode: 0o600 });
  // pgbouncer refuses to run as root, like Postgres, so another user runs it and owns its files.
  const user = serverUser();
  if (user) for (const file of [directory, passwordFile]) chownSync(file, user.uid, user.gid);
  const script = path.join(root, SCRIPT);
  const how = asServerUser('sh', [script], user, [path.dirname(pgbouncer), path.dirname(script), directory]);
  return {
    name: 'pgbouncer',
    ...how,
    env: {
      PATH: `${path.dirname(pgbouncer)}${path.delimiter}${process.env['PATH'] ?? ''}`,
      POOLER_FOLDER: directory,
      POOLER_LISTEN: '127.0.0.1',
      POOLER_PORT: String(port),
      POOLER_ROLE: role.name,
      POOLER_SIZE: String(size),
      POSTGRES_HOST: '127.0.0.1',
      POSTGRES_PORT: String(postgres.port),
      POSTGRES_DB: postgres.database,
      RUNTIME_PASSWORD_FILE: passwordFile,
    },
    stopSignal: 'SIGTERM',
    isReady: () => answersQueries(poolerUrl(pooler)),
  };
}

async function answersQueries(url: string): Promise<boolean> {
  const client = new Client({ connectionString: url, connectionTimeoutMillis: 2000 });
  client.on('error', () => undefined);
  try {
    await client.connect();
    return (await client.query('SELECT 1')).rowCount === 1;
  } finally {
    await client.end().catch(() => undefined);
  }
}
