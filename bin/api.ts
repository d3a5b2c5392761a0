/** The API process. Waits for its database, serves, and finishes requests in flight on SIGTERM. */
import { setTimeout as sleep } from 'node:timers/promises';
import { type RunningServer, startServer } from '../api/server.js';
import { config } from '../config.js';
import { closeTemporal, temporal } from '../gateways/temporal/client.js';
import { registerSearchAttributes } from '../gateways/temporal/searchAttributes.js';
import { readDatabaseClock } from '../models/database/clock.js';
import { replicaPool, sequelize } from '../models/database/connection.js';
import { closeDirect } from '../models/database/direct.js';
import { refuseStrongRole } from '../models/database/roles.js';
import { log } from '../models/log.js';
import { keepYoung } from './serving/keepYoung.js';
import { observe } from './serving/observe.js';
import { exitWithSupervisor } from './serving/exitWithSupervisor.js';

const RETRY_MS = 1_000;
const CLOSE_MS = 2_000;
const ATTRIBUTES_RETRY_MS = 10_000;
const ATTRIBUTES_DEADLINE_MS = 5_000;

async function main(): Promise<void> {
  exitWithSupervisor();
  keepYoung();
  surviveStrayErrors();
  const sendTraces = await observe('api');
  await untilRoleIsKnown();
  const server = await startServer();
  log.info({ part: 'api', port: server.port }, 'the API is listening');
  stopOnSignal(server, sendTraces);
  void keepRegistering();
}

/** Waits for a database that is not up yet; fails at once for a role with too many rights. */
async function untilRoleIsKnown(): Promise<void> {
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

/** Search attributes are for operators; requests do not wait for their registration. */
async function keepRegistering(): Promise<void> {
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
    // Connections still in use after the grace period are closed by the operating system.
    const pools = [sequelize.close(), replicaPool?.close(), closeDirect()];
    const closing = Promise.allSettled([...pools, closeTemporal(), sendTraces()]);
    await Promise.race([closing, sleep(CLOSE_MS)]);
    process.exit(0);
  };
  for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, () => void stop(signal));
}

/** One unhandled rejection must not end the requests of everybody else. */
function surviveStrayErrors(): void {
  process.on('unhandledRejection', (error) => log.error({ err: error }, 'a rejection was not handled'));
  process.on('uncaughtException', (error) => log.error({ err: error }, 'an error was not caught'));
}

main().catch((error: NodeJS.ErrnoException) => {
  console.error(error.code === 'EADDRINUSE' ? `Port ${config.PORT} is taken; PORT chooses another.` : error.message);
  process.exit(1);
});
