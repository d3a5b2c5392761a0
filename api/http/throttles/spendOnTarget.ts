import { oneRow, type Spending } from '../../../models/database/rows.js';
import { throttledIn } from './refusal.js';
import { limitOf, SCOPES, type ThrottleScope } from './scopes.js';
import { INTO_WINDOW } from './store.js';

/**
 * Spends one of what may be done to a row in a while. For handlers, once it is certain that the caller may act on it: a
 * stranger uses up nobody's budget. Counted in the open transaction, so that what is refused or rolled back was not done,
 * and who comes at the same moment waits.
 * @throws Refusal throttled
 */
export async function spendOnTarget(scope: ThrottleScope, target: string): Promise<void> {
  const { statement, requireLeft } = spendingOnTarget(scope, target);
  requireLeft(await oneRow(statement.text, statement.values));
}

/** The same for an operation that asks more in the same message, and decides later: refused, it rolls back. */
export const spendingOnTarget = (scope: ThrottleScope, target: string): Spending => ({
  statement: {
    text: `INSERT INTO throttles AS t (scope, key, hits, resets_at)
           VALUES ($1, $2, 1, clock_timestamp() + make_interval(secs => $3)) ${INTO_WINDOW}`,
    values: [scope, `target:${target.toLowerCase()}`, SCOPES[scope].windowSeconds],
  },
  requireLeft: ({ hits, seconds_left }) => {
    if ((hits as number) > limitOf(scope)) throw throttledIn(scope, seconds_left as number);
  },
});
