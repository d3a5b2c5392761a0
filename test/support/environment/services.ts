/** The servers that tests run against: one Postgres without durability, one Temporal in memory. */
import { mkdirSync, rmSync } from 'node:fs';
import path from 'node:path';
import { findTemporal } from '../../../development/stack/findTemporal.js';
import { freePort } from '../../../development/stack/ports.js';
import { postgresProgram, prepareCluster, superuserUrl } from '../../../development/stack/postgres.js';
import { launch, type Program, type Running, stop, untilReady } from '../../../development/stack/program.js';
import { ensureRole, withClient } from '../../../development/stack/roles.js';
import { temporalProgram } from '../../../development/stack/temporal.js';
import { OWNER, RUNTIME, type Services } from './facts.js';
import { folderOfServers } from './folderOfServers.js';

/** Settings of a server whose data may be lost. */
export const UNSAFE_BUT_FAST = {
  fsync: 'off',
  synchronous_commit: 'off',
  full_page_writes: 'off',
  max_connections: 300,
  shared_buffers: '128MB',
  max_wal_size: '1GB',
  // Tests open thousands of connections, and their passwords need no protection.
  scram_iterations: 1,
};

export interface KeptServices {
  services: Services;
  /** Resolves with the name of a server that ended by itself. */
  broken: Promise<string>;
  close: () => Promise<void>;
}

/** Starts both servers on free ports. */
export async function startServices(say: (line: string) => void): Promise<KeptServices> {
  const executable = await findTemporal(say);
  const directory = folderOfServers();
  const logs = path.join(directory, 'logs');
  const started: Running[] = [];
  const close = async () => {
    await Promise.all(started.map((part) => stop(part, 5)));
    rmSync(directory, { recursive: true, force: true });
  };
  const start = async (program: Program) => {
    const part = await launch(program, logs);
    started.push(part);
    await untilReady(part);
    return part;
  };
  try {
    // The Postgres user must be able to pass through.
    mkdirSync(path.join(directory, 'postgres'));
    const [cluster, temporalPort] = await Promise.all([
      prepareCluster(path.join(directory, 'postgres'), await freePort()),
      freePort(),
    ]);
    const [postgres, temporal] = await Promise.all([
      start(postgresProgram(cluster, UNSAFE_BUT_FAST)),
      start(temporalProgram({ executable, port: temporalPort })),
    ]);
    await withClient(superuserUrl(cluster), async (client) => {
      await ensureRole(client, OWNER);
      await ensureRole(client, RUNTIME);
    });
    const services = {
      postgres: { port: cluster.port, password: cluster.password },
      temporal: { address: `127.0.0.1:${temporalPort}`, executable },
      pids: { keeper: process.pid, postgres: postgres.pid, temporal: temporal.pid },
    };
    const broken = Promise.race(started.map((part) => part.ended.then(() => part.program.name)));
    return { services, broken, close };
  } catch (error) {
    await close();
    throw error;
  }
}
