/**
 * Counts hits in the handler's transaction. A request that is refused or rolled back counts nothing. Concurrent
 * requests of the same budget wait for one another, so that they cannot exceed it together.
 */
import { oneRow, type ThrottleHit } from '../../../models/database/rows.js';
import type { RequestFacts } from '../routes.js';
import { keyOf } from './keys.js';
import { throttledIn } from './refusal.js';
import { type AcceptedScope, limitOf, SCOPES, type ThrottleScope } from './scopes.js';
import { INTO_WINDOW } from '../../../models/database/throttleWindows.js';

/**
 * Counts one action on a row. Call it only when the caller may act on the row: otherwise anybody could use up another
 * person's budget.
 * @throws Refusal throttled
 */
export const spendOnTarget = (scope: ThrottleScope, target: string): Promise<void> =>
  spend(spendingOnTarget(scope, target));

/**
 * Returns the statement of `spendOnTarget` without running it. The caller sends it together with other statements, and
 * evaluates the result later.
 */
export const spendingOnTarget = (scope: ThrottleScope, target: string): ThrottleHit =>
  spending(scope, `target:${target.toLowerCase()}`);

/**
 * Counts one accepted form for its network, or for the address in it. Call it last in the transaction that accepts the
 * form, because further requests of the same network wait from here until the commit.
 * @throws Refusal throttled
 */
export async function spendAccepted(request: RequestFacts, ...scopes: AcceptedScope[]): Promise<void> {
  for (const scope of scopes) await spend(spendingAccepted(request, scope));
}

/**
 * Returns the statement of `spendAccepted` without running it. The caller sends it together with other statements, and
 * evaluates the result later.
 */
export function spendingAccepted(request: RequestFacts, scope: AcceptedScope): ThrottleHit {
  // Forms are public, so the key never depends on a signed-in person.
  const key = keyOf(SCOPES[scope].key, request.raw, false);
  if (key === null) throw new Error(`The request has no key for the throttle scope ${scope}.`);
  return spending(scope, key);
}

async function spend({ statement, requireBudget }: ThrottleHit): Promise<void> {
  requireBudget(await oneRow(statement.text, statement.values));
}

const spending = (scope: ThrottleScope, key: string): ThrottleHit => ({
  statement: {
    text: `INSERT INTO throttles AS t (scope, key, hits, resets_at)
           VALUES ($1, $2, 1, clock_timestamp() + make_interval(secs => $3)) ${INTO_WINDOW}`,
    values: [scope, key, SCOPES[scope].windowSeconds],
  },
  requireBudget: ({ hits, seconds_left }) => {
    if ((hits as number) > limitOf(scope)) throw throttledIn(scope, seconds_left as number);
  },
});
