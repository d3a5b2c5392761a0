/**
 * Decides several requests in one call. Each has its own savepoint, so that a refused decision does not undo the
 * others.
 */
import { currentScope } from '../../database/connection.js';
import { translateDatabaseError } from '../../database/constraints.js';
import { rows } from '../../database/rows.js';
import { type FieldErrors, Refusal } from '../../errors.js';

export interface ReviewOutcome {
  id: string;
  /** The request's status after the review; null if the review was refused. */
  status: string | null;
  /** The refusal in the form in which a single review would return it; null if the review succeeded. */
  error: { code: string; detail: string; errors: FieldErrors } | null;
}

/**
 * Reviews the requests in id order. All calls use this order, so that two calls with the same requests do not deadlock.
 * @param review decides one request and returns its status
 */
export async function reviewMany(
  ids: readonly string[],
  review: (id: string) => Promise<string>,
): Promise<ReviewOutcome[]> {
  const outcomes = new Map<string, ReviewOutcome>();
  for (const id of [...new Set(ids)].toSorted()) outcomes.set(id, await reviewOne(id, review));
  return [...new Set(ids)].map((id) => outcomes.get(id) as ReviewOutcome);
}

async function reviewOne(id: string, review: (id: string) => Promise<string>): Promise<ReviewOutcome> {
  const { enqueued, announcements: announced } = currentScope();
  const [enqueuedBefore, announcedBefore] = [enqueued.length, announced.length];
  await rows('SAVEPOINT review');
  try {
    const status = await review(id);
    await rows('RELEASE SAVEPOINT review');
    return { id, status, error: null };
  } catch (error) {
    const refusal = error instanceof Refusal ? error : translateDatabaseError(error);
    if (refusal === null || refusal.status >= 500) throw error;
    await rows('ROLLBACK TO SAVEPOINT review');
    enqueued.length = enqueuedBefore;
    announced.length = announcedBefore;
    return { id, status: null, error: { code: refusal.code, detail: refusal.message, errors: refusal.errors ?? {} } };
  }
}
