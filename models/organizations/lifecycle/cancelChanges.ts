/** Cancels scheduled changes before their day. */
import { currentScope } from '../../database/connection.js';
import { editRow, lockForEdit, now } from '../../database/model/change.js';
import { readRow, type ShownRow } from '../../database/model/read.js';
import { currentOrganization, rows } from '../../database/rows.js';
import { refuse } from '../../errors.js';
import { organizationsErrors } from '../errors.js';
import { cancelPlannedTermsOf } from '../officer-terms/planTerm.js';
import { ScheduledChange } from './ScheduledChange.js';
import { type Authority, includesAuthority } from './transitions.js';

/**
 * Cancels a change that is still scheduled.
 * @param authority of the person who cancels; null where the platform itself ends the membership
 * @throws Refusal not_found, forbidden, change_ended
 */
export async function cancelChange(
  membershipId: string,
  id: string,
  authority: Authority | null,
): Promise<ShownRow<typeof ScheduledChange>> {
  const change = await lockForEdit(ScheduledChange, { id, membership_id: membershipId });
  if (authority && !includesAuthority(authority, change.hand)) throw refuse.forbidden();
  if (change.state !== 'scheduled') throw organizationsErrors.change_ended();
  await editRow(change, { state: 'cancelled', cancelled_by: currentScope().origin.userId, ended_at: now });
  return readRow(ScheduledChange, id);
}

/** Cancels all scheduled changes and planned terms of a locked membership whose person leaves. */
export async function cancelChangesOf(membershipId: string): Promise<void> {
  const scheduled = await rows<{ id: string }>(
    `SELECT id FROM membership_scheduled_changes
      WHERE organization_id = $1 AND membership_id = $2 AND state = 'scheduled' ORDER BY id`,
    [currentOrganization(), membershipId],
  );
  for (const { id } of scheduled) await cancelChange(membershipId, id, null);
  await cancelPlannedTermsOf(membershipId);
}
