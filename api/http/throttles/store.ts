/** Counters in Postgres, shared by every API process. The database's clock ends windows. */
import type { Store } from 'express-rate-limit';
import type pg from 'pg';
import { auxiliaryPool } from '../../../models/database/auxiliaryPool.js';
import { INTO_WINDOW } from '../../../models/database/throttleWindows.js';
import { refuse } from '../../../models/errors.js';
import { log } from '../../../models/log.js';

/** A window that began with its first hit. */
interface Window {
  hits: number;
  secondsLeft: number;
}

/**
 * Adds hits to the windows of some keys; negative numbers refund. @returns each window as it is now, over all
 * processes
 */
export type CountHits = (
  scope: string,
  windowSeconds: number,
  hits: ReadonlyMap<string, number>,
) => Promise<Map<string, Window>>;

// Sorted, so that two processes never lock rows in opposite orders. Commits do not wait for the disk: a crash of the
// server may lose the last hits.
const COUNT = `
  INSERT INTO throttles AS t (scope, key, hits, resets_at)
  SELECT $1, given.key, given.hits, clock_timestamp() + make_interval(secs => $2)
    FROM unnest($3::text[], $4::int[]) AS given (key, hits), set_config('synchronous_commit', 'off', true) ORDER BY given.key
  ${INTO_WINDOW}`;

/** Counts in one statement on `pool`. */
export const countIn =
  (pool: () => pg.Pool = auxiliaryPool): CountHits =>
  async (scope, windowSeconds, hits) => {
    const answer = await pool().query<{ key: string; hits: number; seconds_left: number }>(COUNT, [
      scope,
      windowSeconds,
      [...hits.keys()],
      [...hits.values()],
    ]);
    return new Map(answer.rows.map((row) => [row.key, { hits: row.hits, secondsLeft: row.seconds_left }]));
  };

const PRUNE_BATCH = 1_000;
const PRUNE = `
  DELETE FROM throttles WHERE ctid = ANY(ARRAY(
    SELECT ctid FROM throttles WHERE resets_at < now() LIMIT ${PRUNE_BATCH} FOR UPDATE SKIP LOCKED))`;

/** Deletes windows that are over. @returns their number */
export async function pruneWindows(pool: () => pg.Pool = auxiliaryPool): Promise<number> {
  let deleted = 0;
  for (;;) {
    const { rowCount } = await pool().query(PRUNE);
    deleted += rowCount ?? 0;
    if ((rowCount ?? 0) < PRUNE_BATCH) return deleted;
  }
}

/**
 * Returns a store with one round trip per hit, which is exact across processes. Refuses requests while the database is
 * down.
 */
export function exactStore(scope: string, windowSeconds: number, count: CountHits): Store {
  // Logged when the outage begins and ends, not for every request.
  let failing = false;
  return {
    increment: async (key) => {
      const window = await countOne(key);
      return { totalHits: window.hits, resetTime: new Date(Date.now() + window.secondsLeft * 1000) };
    },
    decrement: async (key) => {
      try {
        await count(scope, windowSeconds, new Map([[key, -1]]));
      } catch (error) {
        // A failed refund is not retried, because the hit ends with its window anyway.
        log.warn({ err: error, code: scope }, 'a throttle hit could not be refunded');
      }
    },
    resetKey: () => undefined,
  };

  async function countOne(key: string): Promise<Window> {
    try {
      const window = (await count(scope, windowSeconds, new Map([[key, 1]]))).get(key);
      if (!window) throw new Error('The store did not count.');
      if (failing) log.info({ code: scope }, 'the throttle store is back');
      failing = false;
      return window;
    } catch (error) {
      if (!failing)
        log.error({ err: error, code: scope }, 'the throttle store is down; requests of this scope are refused');
      failing = true;
      throw refuse.unavailable(undefined, undefined, { 'Retry-After': '5' });
    }
  }
}
