/**
 * The database's clock, as this process last heard it, carried on by a clock that cannot jump. What is not decided in SQL
 * (signatures of tokens and events) goes by it, so that a host whose own clock is wrong judges like the others.
 */
import { performance } from 'node:perf_hooks';
import { log } from '../log.js';
import { direct } from './direct.js';

const ASK_EVERY_MS = 60_000;

/** Milliseconds from the start of this process's steady clock to the database's epoch. */
let offset: number | undefined;

/** Milliseconds since 1970 by the database; by this host until the database was heard. */
export const databaseNow = (): number => (offset === undefined ? Date.now() : offset + performance.now());

/** Asks the database for its time. @throws Error when it does not answer */
export async function readDatabaseClock(): Promise<void> {
  const asked = performance.now();
  const { rows } = await direct().query<{ ms: number }>(
    'SELECT extract(epoch FROM clock_timestamp())::float8 * 1000 AS ms',
  );
  // The answer was given somewhere between question and arrival.
  if (rows[0]) offset = rows[0].ms - (asked + performance.now()) / 2;
}

/** Asks now and every minute. @returns the way to end it */
export function followDatabaseClock(): () => void {
  const ask = (): void => {
    readDatabaseClock().catch((error: unknown) => log.debug({ err: error }, 'the database did not tell its time'));
  };
  ask();
  const timer = setInterval(ask, ASK_EVERY_MS).unref();
  return () => clearInterval(timer);
}
