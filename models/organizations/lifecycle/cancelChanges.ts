/** Scheduled changes that are taken back before their day. */
import { currentScope } from '../../database/connection.js';
import { editRow, lockRow, now } from '../../database/model/change.js';
import { readRow, type ShownRow } from '../../database/model/read.js';
import { currentOrganization, rows } from '../../database/rows.js';
import { refuse } from '../../errors.js';
import { organizationsErrors } from '../errors.js';
import { cancelPlannedTermsOf } from '../officer-terms/planTerm.js';
import { ScheduledChange } from './ScheduledChange.js';
import { type Hand, within } from './transitions.js';

/**
 * Takes back what has not been done yet.
 * @param hand by whose right; null where the platform itself ends what is over
 * @throws Refusal not_found, forbidden, change_ended
 */
export async function cancelChange(
  membershipId: string,
  id: string,
  hand: Hand | null,
): Promise<ShownRow<typeof ScheduledChange>> {
  const change = await lockRow(ScheduledChange, { id, membership_id: membershipId });
  if (hand && !within(hand, change.hand)) throw refuse.forbidden();
  if (change.state !== 'scheduled') throw organizationsErrors.change_ended();
  await editRow(change, { state: 'cancelled', cancelled_by: currentScope().origin.userId, ended_at: now });
  return readRow(ScheduledChange, id);
}

/** Takes back all that is scheduled for a locked membership, whose person leaves. */
export async function cancelChangesOf(membershipId: string): Promise<void> {
  const waiting = await rows<{ id: string }>(
    `SELECT id FROM membership_scheduled_changes
      WHERE organization_id = $1 AND membership_id = $2 AND state = 'scheduled' ORDER BY id`,
    [currentOrganization(), membershipId],
  );
  for (const { id } of waiting) await cancelChange(membershipId, id, null);
  await cancelPlannedTermsOf(membershipId);
}
