/** Checks whether a person still has the right to do something that they confirmed or scheduled earlier. */
import { currentOrganization, firstRow } from '../database/rows.js';
import type { Authority } from './lifecycle/transitions.js';

/**
 * Outcome of a bulk process, and of its database row, if the person who confirmed the process loses the right to it
 * before it has finished.
 */
export const STOPPED_RIGHT_LOST = 'stopped_right_lost';

/** Description of the outcome `stopped_right_lost` in the API. */
export const RIGHT_LOST_DESCRIPTION =
  '`stopped_right_lost`: the person who confirmed it lost the right before it was done. Changes already made stay; the rest is not carried out.';

/** A person in whose name a process acts, and the authority that the process needs. */
export interface ActingPerson {
  /** The person in whose name the process acts; null for a command of the operators. */
  userId: string | null;
  authority: Authority;
  /** Chapter in which the authority is required, directly or through its region. */
  chapterId?: string | null;
  /**
   * Organization in which the authority is required; default: the organization of the transaction. Null: no
   * organization, where only platform administrators may act.
   */
  organizationId?: string | null;
}

/**
 * Reports whether the person has the authority now. It is lost with the office (removed or deactivated) and with the
 * account (disabled or erased). Every bulk process that acts for a person calls this before each batch.
 */
export async function holdsRight({
  userId,
  authority,
  chapterId = null,
  organizationId,
}: ActingPerson): Promise<boolean> {
  if (userId === null) return true;
  const within = organizationId === undefined ? currentOrganization() : organizationId;
  return (
    (await firstRow('SELECT WHERE app.may_act_in_chapter($1, $2, $3, $4)', [within, chapterId, userId, authority])) !==
    null
  );
}
