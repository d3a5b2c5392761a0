/** Whether a person may still do what they confirmed, or asked for on a later day. */
import { currentOrganization, firstRow } from '../database/rows.js';
import type { Hand } from './lifecycle/transitions.js';

/** How a bulk process ends, and its row with it, when the person who confirmed it has lost the right. */
export const STOPPED_RIGHT_LOST = 'stopped_right_lost';

/** What descriptions of the API say of that end. */
export const RIGHT_LOST_MEANS =
  '`stopped_right_lost`: the person who confirmed it lost the right before it was done. What was done stays done, the rest is not done.';

/** In whose name something is done, and by which right. */
export interface Acting {
  /** Null for a command of the operators, which acts for no person. */
  userId: string | null;
  hand: Hand;
  /** For a right that is held in one chapter or its region. */
  chapterId?: string | null;
  /** Left out: the organization of the transaction. Null: none, where only administrators of the platform may act. */
  organizationId?: string | null;
}

/**
 * Whether the person holds the right at this moment. It is lost with the office (removed or deactivated) and with the
 * account (disabled, or erased). Every bulk process that acts for a person calls this before each of its pages.
 */
export async function holdsRight({ userId, hand, chapterId = null, organizationId }: Acting): Promise<boolean> {
  if (userId === null) return true;
  const within = organizationId === undefined ? currentOrganization() : organizationId;
  return (await firstRow('SELECT WHERE app.has_hand($1, $2, $3, $4)', [within, chapterId, userId, hand])) !== null;
}
