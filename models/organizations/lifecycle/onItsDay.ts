/** What was scheduled comes to its day: done in the name of whoever asked for it, or ended with the reason. */
import { isTransient, translateDatabaseError } from '../../database/constraints.js';
import { inTenant } from '../../database/tenancy.js';
import { Refusal, refuse } from '../../errors.js';
import { log } from '../../log.js';
import { holdsRight } from '../holdsRight.js';
import type { Hand } from './transitions.js';

/** Why it was not done. */
export interface NotDone {
  state: 'refused' | 'failed';
  refusal: string;
}

interface Scheduled {
  id: string;
  requested_by: string | null;
}

/** What somebody else does at this moment. */
const MEANWHILE: ReadonlySet<string> = new Set(['transfer_in_progress']);

/**
 * Nothing that is wrong with one keeps back those behind it: what the rules refuse is refused, and what breaks by a fault of
 * ours has failed. Only what the same again may mend (a lock, a lost connection) is thrown, and tried again.
 * @param apply in a transaction of its own
 * @param end writes down that it was not done
 */
export async function onItsDay(
  organizationId: string,
  { id, requested_by: userId }: Scheduled,
  apply: () => Promise<void>,
  end: (how: NotDone) => Promise<unknown>,
): Promise<void> {
  const origin = { userId, requestId: null, ipAddress: null };
  try {
    await inTenant(organizationId, apply, { origin });
  } catch (error) {
    const refusal = error instanceof Refusal ? error : translateDatabaseError(error);
    if (isTransient(error) || (refusal !== null && (refusal.status >= 500 || MEANWHILE.has(refusal.code)))) throw error;
    if (refusal === null) log.error({ err: error, organizationId, changeId: id }, 'a scheduled change failed');
    const how: NotDone = refusal
      ? { state: 'refused', refusal: refusal.code }
      : { state: 'failed', refusal: 'unforeseen' };
    await inTenant(organizationId, () => end(how), { origin });
  }
}

/**
 * Whoever asked for it may have lost the right meanwhile: then nobody's hand would do it.
 * @param userId null: nobody's in particular
 * @throws Refusal forbidden
 */
export async function requireHand(userId: string | null, chapterId: string, hand: Hand): Promise<void> {
  if (await holdsRight({ userId, chapterId, hand })) return;
  throw refuse.forbidden('Whoever asked for it may not do this any more.');
}
