/** Many requests decided at once: each by itself, so that one that is refused keeps back no other. */
import { currentScope } from '../../database/connection.js';
import { translateDatabaseError } from '../../database/constraints.js';
import { rows } from '../../database/rows.js';
import { type FieldErrors, Refusal } from '../../errors.js';

export interface Outcome {
  id: string;
  /** Null where it was refused. */
  status: string | null;
  /** Why it was refused, as one review would answer. */
  error: { code: string; detail: string; errors: FieldErrors } | null;
}

/**
 * In the order of ids, as everybody does it, so that two who decide the same wait for one another and in no circle.
 * @param review decides one, and says its status
 */
export async function reviewMany(ids: readonly string[], review: (id: string) => Promise<string>): Promise<Outcome[]> {
  const outcomes = new Map<string, Outcome>();
  for (const id of [...new Set(ids)].toSorted()) outcomes.set(id, await reviewOne(id, review));
  return [...new Set(ids)].map((id) => outcomes.get(id) as Outcome);
}

async function reviewOne(id: string, review: (id: string) => Promise<string>): Promise<Outcome> {
  const { enqueued, announced } = currentScope();
  const [works, announcements] = [enqueued.length, announced.length];
  await rows('SAVEPOINT review');
  try {
    const status = await review(id);
    await rows('RELEASE SAVEPOINT review');
    return { id, status, error: null };
  } catch (error) {
    const refusal = error instanceof Refusal ? error : translateDatabaseError(error);
    if (refusal === null || refusal.status >= 500) throw error;
    await rows('ROLLBACK TO SAVEPOINT review');
    enqueued.length = works;
    announced.length = announcements;
    return { id, status: null, error: { code: refusal.code, detail: refusal.message, errors: refusal.errors ?? {} } };
  }
}
