/**
 * The database's clock as last read, advanced by this process's monotonic clock. Decisions made outside SQL
 * (signatures of tokens and events) use it, so that a host with a wrong clock decides like the others.
 */
import { performance } from 'node:perf_hooks';
import { log } from '../log.js';
import { auxiliaryPool } from './auxiliaryPool.js';

const REFRESH_INTERVAL_MS = 60_000;

/**
 * Difference in milliseconds between the database's clock and this process's monotonic clock; undefined until the
 * database was read.
 */
let offset: number | undefined;

/** Returns the database's time in milliseconds since 1970. Until the database was read, returns this host's time. */
export const databaseNow = (): number => (offset === undefined ? Date.now() : offset + performance.now());

/**
 * Reads the database's time and stores the offset to it.
 * @throws Error if the database does not answer
 */
export async function readDatabaseClock(): Promise<void> {
  const sentAt = performance.now();
  const { rows } = await auxiliaryPool().query<{ ms: number }>(
    'SELECT extract(epoch FROM clock_timestamp())::float8 * 1000 AS ms',
  );
  // The server read its clock at an unknown time between the sending of the query and the arrival of the response. So
  // take the middle of these two times.
  if (rows[0]) offset = rows[0].ms - (sentAt + performance.now()) / 2;
}

/** Reads the clock now and every minute. @returns a function that stops it */
export function followDatabaseClock(): () => void {
  const refresh = (): void => {
    readDatabaseClock().catch((error: unknown) =>
      log.debug({ err: error }, 'could not read the clock of the database'),
    );
  };
  refresh();
  const timer = setInterval(refresh, REFRESH_INTERVAL_MS).unref();
  return () => clearInterval(timer);
}
