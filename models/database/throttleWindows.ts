/**
 * Time windows of throttles, for operations that count the throttled events themselves. The database's clock decides
 * when a window ends.
 */
import { rows } from './rows.js';

/** SQL that adds the hits of an INSERT into `throttles AS t` to their window, or begins the next one. */
export const INTO_WINDOW = `
  ON CONFLICT (scope, key) DO UPDATE SET
    hits = CASE WHEN t.resets_at <= clock_timestamp() THEN greatest(excluded.hits, 0)
                ELSE greatest(least(t.hits::bigint + excluded.hits, 2000000000), 0)::int END,
    resets_at = CASE WHEN t.resets_at <= clock_timestamp() THEN excluded.resets_at ELSE t.resets_at END
  RETURNING key, hits, extract(epoch FROM resets_at - clock_timestamp())::float8 AS seconds_left`;

/** Counts one hit of each scope and key in the open transaction. Rows are locked in the order of their scopes. */
export async function countHits(hits: readonly { scope: string; key: string }[], windowSeconds: number): Promise<void> {
  await rows(
    `INSERT INTO throttles AS t (scope, key, hits, resets_at)
     SELECT one.scope, one.key, 1, clock_timestamp() + make_interval(secs => $3)
       FROM unnest($1::text[], $2::text[]) AS one (scope, key) ORDER BY one.scope ${INTO_WINDOW}`,
    [hits.map(({ scope }) => scope), hits.map(({ key }) => key), windowSeconds],
  );
}
