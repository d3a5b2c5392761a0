/** Runs a scheduled item on its day, in the name of the person who scheduled it, or ends it with the reason. */
import { isTransient, translateDatabaseError } from '../../database/constraints.js';
import { inTenant } from '../../database/tenancy.js';
import { Refusal, refuse } from '../../errors.js';
import { log } from '../../log.js';
import { holdsRight } from '../holdsRight.js';
import type { Authority } from './transitions.js';

/** The reason why a scheduled item was not applied. */
export interface ScheduledFailure {
  state: 'refused' | 'failed';
  refusal: string;
}

interface ScheduledItem {
  id: string;
  requested_by: string | null;
}

/**
 * Error codes that only mean that another process is changing the same membership right now, so that a retry may
 * succeed.
 */
const RETRYABLE_CODES: ReadonlySet<string> = new Set(['transfer_in_progress']);

/**
 * Runs a scheduled item in such a way that its failure does not block the items after it. If the rules refuse the item,
 * it ends as refused; after an unexpected error it ends as failed. Errors that a retry may resolve (a lock, a lost
 * connection) are thrown.
 * @param apply runs in a transaction of its own
 * @param end records that the item was not applied
 */
export async function runScheduled(
  organizationId: string,
  { id, requested_by: userId }: ScheduledItem,
  apply: () => Promise<void>,
  end: (failure: ScheduledFailure) => Promise<unknown>,
): Promise<void> {
  const origin = { userId, requestId: null, ipAddress: null };
  try {
    await inTenant(organizationId, apply, { origin });
  } catch (error) {
    const refusal = error instanceof Refusal ? error : translateDatabaseError(error);
    if (isTransient(error) || (refusal !== null && (refusal.status >= 500 || RETRYABLE_CODES.has(refusal.code))))
      throw error;
    if (refusal === null) log.error({ err: error, organizationId, changeId: id }, 'a scheduled change failed');
    const failure: ScheduledFailure = refusal
      ? { state: 'refused', refusal: refusal.code }
      : { state: 'failed', refusal: 'unforeseen' };
    await inTenant(organizationId, () => end(failure), { origin });
  }
}

/**
 * Requires that the person who scheduled the item still has the authority.
 * @param userId null: the platform itself scheduled it
 * @throws Refusal forbidden
 */
export async function requireAuthority(userId: string | null, chapterId: string, authority: Authority): Promise<void> {
  if (await holdsRight({ userId, chapterId, authority })) return;
  throw refuse.forbidden(
    'The person who scheduled this change no longer has the right to make it. A person who has the right must schedule it again.',
  );
}
