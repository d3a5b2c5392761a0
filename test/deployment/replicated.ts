/** A migrated primary with a streaming replica for one test file: the server that tests share is not replicated. */
import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { freePort } from '../../development/stack/ports.js';
import { postgresProgram, prepareCluster, superuserUrl } from '../../development/stack/postgres.js';
import { launch, type Running, stop, untilReady } from '../../development/stack/program.js';
import { prepareReplica } from '../../development/stack/replica.js';
import { ensureDatabase, ensureRole, withClient } from '../../development/stack/roles.js';
import { databaseUrl, OWNER, RUNTIME } from '../support/environment/facts.js';

const DATABASE = 'membership';
const SETTINGS = { fsync: 'off', max_connections: 60, scram_iterations: 1 };

export interface Replicated {
  /** For the runtime role. */
  primaryUrl: string;
  replicaUrl: string;
  /** For the owner, at the replica. */
  replicaOwnerUrl: string;
  /** Pauses the replay at the replica: it receives writes, and does not show them. */
  pause(): Promise<void>;
  resume(): Promise<void>;
  kill(): Promise<void>;
  start(): Promise<void>;
  close(): Promise<void>;
}

/** Starts both and sets the environment, before any module that reads `config.ts` is loaded. @param more further variables */
export async function startReplicated(more: NodeJS.ProcessEnv): Promise<Replicated> {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'membership-replica-'));
  // Postgres may have to run as another user, who must be able to enter the folder.
  chmodSync(folder, 0o755);
  const logs = path.join(folder, 'logs');
  const primary = await prepareCluster(path.join(folder, 'primary'), await freePort());
  const server = await launch(postgresProgram(primary, SETTINGS), logs);
  await untilReady(server);
  await withClient(superuserUrl(primary), async (client) => {
    await ensureRole(client, OWNER);
    await ensureRole(client, RUNTIME);
    await ensureDatabase(client, DATABASE, OWNER.name);
  });
  const urls = (port: number) => [RUNTIME, OWNER].map((role) => databaseUrl(port, role, DATABASE)) as [string, string];
  const [primaryUrl, primaryOwner] = urls(primary.port);
  const replicaPort = await freePort();
  const [replicaUrl, replicaOwner] = urls(replicaPort);
  const where = { DATABASE_URL: primaryUrl, DATABASE_OWNER_URL: primaryOwner, DATABASE_READ_URL: replicaUrl };
  Object.assign(process.env, where, more);
  const { migrateUp } = await import('../../models/database/migrate.js');
  await migrateUp(primaryOwner, primaryUrl);
  const say = (line: string) => console.error(line);
  const replica = await prepareReplica(primary, path.join(folder, 'replica'), replicaPort, say);
  let standby: Running | undefined;
  const start = async () => {
    standby = await launch({ ...postgresProgram(replica, SETTINGS), name: 'replica' }, logs);
    await untilReady(standby);
  };
  const tell = (statement: string) =>
    withClient(superuserUrl(replica, DATABASE), async (client) => void (await client.query(statement)));
  await start();
  return {
    primaryUrl,
    replicaUrl,
    replicaOwnerUrl: replicaOwner,
    pause: () => tell('SELECT pg_wal_replay_pause()'),
    resume: () => tell('SELECT pg_wal_replay_resume()'),
    async kill() {
      standby?.signal('SIGKILL');
      await standby?.ended;
    },
    start,
    async close() {
      // Other test files of this process have no replica.
      for (const name of ['DATABASE_READ_URL', ...Object.keys(more)]) Reflect.deleteProperty(process.env, name);
      if (standby?.isRunning()) await stop(standby, 5);
      await stop(server, 5);
      rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
    },
  };
}
