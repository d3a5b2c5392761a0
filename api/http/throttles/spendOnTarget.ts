import { oneRow } from '../../../models/database/rows.js';
import { refuse } from '../../../models/errors.js';
import { countThrottled } from '../metrics.js';
import { inWords, limitOf, SCOPES, type ThrottleScope } from './scopes.js';

/**
 * Spends one of what may be done to a row in a while. Called once it is certain that the caller may act on it: a stranger
 * uses up nobody's budget. Counted in the open transaction, so that what is rolled back was not done, and who comes at the
 * same moment waits.
 * @throws Refusal throttled
 */
export async function spendOnTarget(scope: ThrottleScope, target: string): Promise<void> {
  const { hits, seconds } = await oneRow<{ hits: number; seconds: number }>(
    `INSERT INTO throttles AS t (scope, key, hits, resets_at)
     VALUES ($1, $2, 1, clock_timestamp() + make_interval(secs => $3))
     ON CONFLICT (scope, key) DO UPDATE SET
       hits = CASE WHEN t.resets_at <= clock_timestamp() THEN 1 ELSE t.hits + 1 END,
       resets_at = CASE WHEN t.resets_at <= clock_timestamp() THEN excluded.resets_at ELSE t.resets_at END
     RETURNING hits, greatest(1, ceil(extract(epoch FROM resets_at - clock_timestamp())))::int AS seconds`,
    [scope, `target:${target.toLowerCase()}`, SCOPES[scope].windowSeconds],
  );
  if (hits <= limitOf(scope)) return;
  countThrottled(scope);
  throw refuse.throttled(`Too many requests. Try again in ${inWords(seconds)}.`, undefined, {
    'Retry-After': String(seconds),
  });
}
