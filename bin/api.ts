/** The API process. Waits for its database, serves, and finishes requests in flight on SIGTERM. */
import { setTimeout as sleep } from 'node:timers/promises';
import { type RunningServer, startServer } from '../api/server.js';
import { config } from '../config.js';
import { closeTemporal, temporal } from '../gateways/temporal/client.js';
import { registerSearchAttributes } from '../gateways/temporal/searchAttributes.js';
import { readDatabaseClock } from '../models/database/clock.js';
import { replicaPool, sequelize } from '../models/database/connection.js';
import { closeAuxiliaryPool } from '../models/database/auxiliaryPool.js';
import { refuseStrongRole } from '../models/database/roles.js';
import { log } from '../models/log.js';
import { setV8Flags } from './serving/v8Flags.js';
import { observe } from './serving/observe.js';
import { exitWithSupervisor } from './serving/exitWithSupervisor.js';

const RETRY_MS = 1_000;
const CLOSE_MS = 2_000;
const ATTRIBUTES_RETRY_MS = 10_000;
const ATTRIBUTES_DEADLINE_MS = 5_000;

async function main(): Promise<void> {
  exitWithSupervisor();
  setV8Flags();
  logUnhandledErrors();
  const sendTraces = await observe('api');
  await waitForDatabase();
  const server = await startServer();
  log.info({ part: 'api', port: server.port }, 'the API is listening');
  stopOnSignal(server, sendTraces);
  void registerAttributesUntilDone();
}

/** Waits until the database answers. Fails at once for a role with too many rights. */
async function waitForDatabase(): Promise<void> {
  for (let attempt = 0; ; attempt += 1) {
    try {
      await refuseStrongRole();
      return await readDatabaseClock();
    } catch (error) {
      if ((error as Error).message.startsWith('DATABASE_URL: ')) throw error;
      if (attempt % 10 === 0) log.warn({ err: error, attempt }, 'waiting for the database');
      await sleep(RETRY_MS);
    }
  }
}

/**
 * Registers Temporal's search attributes, and retries until that succeeds. Only operators use them, so requests do not
 * wait for this.
 */
async function registerAttributesUntilDone(): Promise<void> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      const deadline = Date.now() + ATTRIBUTES_DEADLINE_MS;
      return await temporal().connection.withDeadline(deadline, registerSearchAttributes);
    } catch (error) {
      log.warn({ err: error, attempt }, 'search attributes are not registered yet');
      await sleep(ATTRIBUTES_RETRY_MS, undefined, { ref: false });
    }
  }
}

function stopOnSignal(server: RunningServer, sendTraces: () => Promise<void>): void {
  let stopping = false;
  const stop = async (signal: NodeJS.Signals) => {
    if (stopping) return;
    stopping = true;
    log.info({ part: 'api', signal }, 'stopping');
    await server.stop(config.SHUTDOWN_GRACE_SECONDS);
    // Close all connections, but wait only a short time: the operating system closes connections that are then still in
    // use.
    const pools = [sequelize.close(), replicaPool?.close(), closeAuxiliaryPool()];
    const closing = Promise.allSettled([...pools, closeTemporal(), sendTraces()]);
    await Promise.race([closing, sleep(CLOSE_MS)]);
    process.exit(0);
  };
  for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, () => void stop(signal));
}

/** Keeps the process alive: one unhandled rejection must not end the requests of other clients. */
function logUnhandledErrors(): void {
  process.on('unhandledRejection', (error) => log.error({ err: error }, 'unhandled rejection'));
  process.on('uncaughtException', (error) => log.error({ err: error }, 'uncaught exception'));
}

main().catch((error: NodeJS.ErrnoException) => {
  console.error(
    error.code === 'EADDRINUSE' ? `Port ${config.PORT} is in use; set PORT to another port.` : error.message,
  );
  process.exit(1);
});
