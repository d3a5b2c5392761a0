/**
 * Budgets that handlers spend in their own transaction: what is refused or rolled back spends nothing, and requests of the same
 * budget at the same time wait for one another, so that they cannot exceed it together.
 */
import { oneRow, type Spending } from '../../../models/database/rows.js';
import type { RequestFacts } from '../routes.js';
import { keyOf } from './keys.js';
import { throttledIn } from './refusal.js';
import { type AcceptedScope, limitOf, SCOPES, type ThrottleScope } from './scopes.js';
import { INTO_WINDOW } from './store.js';

/**
 * Spends one of what may be done to a row in a while. Call it once the caller may act on the row: otherwise a stranger could
 * use up another person's budget.
 * @throws Refusal throttled
 */
export const spendOnTarget = (scope: ThrottleScope, target: string): Promise<void> =>
  spend(spendingOnTarget(scope, target));

/** The same for an operation that sends the statement together with others and decides later. */
export const spendingOnTarget = (scope: ThrottleScope, target: string): Spending =>
  spending(scope, `target:${target.toLowerCase()}`);

/**
 * Spends one of what a network, or the address in a form, may have accepted in a while. Call it last in the transaction that
 * accepts the form: all that a network sends waits from here to the commit.
 * @throws Refusal throttled
 */
export async function spendAccepted(request: RequestFacts, ...scopes: AcceptedScope[]): Promise<void> {
  for (const scope of scopes) await spend(spendingAccepted(request, scope));
}

/** The same for an operation that sends the statement together with others and decides later. */
export function spendingAccepted(request: RequestFacts, scope: AcceptedScope): Spending {
  // Forms are public, so the key never depends on a signed-in person.
  const key = keyOf(SCOPES[scope].key, request.raw, false);
  if (key === null) throw new Error(`The request has nothing that ${scope} counts by.`);
  return spending(scope, key);
}

async function spend({ statement, requireLeft }: Spending): Promise<void> {
  requireLeft(await oneRow(statement.text, statement.values));
}

const spending = (scope: ThrottleScope, key: string): Spending => ({
  statement: {
    text: `INSERT INTO throttles AS t (scope, key, hits, resets_at)
           VALUES ($1, $2, 1, clock_timestamp() + make_interval(secs => $3)) ${INTO_WINDOW}`,
    values: [scope, key, SCOPES[scope].windowSeconds],
  },
  requireLeft: ({ hits, seconds_left }) => {
    if ((hits as number) > limitOf(scope)) throw throttledIn(scope, seconds_left as number);
  },
});
