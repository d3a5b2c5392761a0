import { type Edit, editRow, lockRow } from '../database/model/change.js';
import { notify } from '../notifications/notify.js';
import { aboveOrganizations } from './above.js';
import { organizationsErrors } from './errors.js';
import { Membership } from './Membership.js';
import { told } from './notifications.js';
import { isTerminal } from './vocabulary.js';

/** Loads a membership for change; who may change it is decided on this state. @throws Refusal not_found */
export const lockMembership = (id: string): Promise<Membership> => lockRow(Membership, id);

/**
 * Changes a locked membership. One that reaches a terminal status pays its debt from the member's own credit, in the
 * same transaction (spec: States, Membership). One that is no longer in active standing ends the office in the chapter
 * (`keep_office_in_standing.sql`). Whose status or role it is hears of it.
 * @throws Refusal stale_version, validation_error, not_in_active_standing
 */
export async function changeMembership(membership: Membership, edit: Edit<Membership>): Promise<void> {
  const changed = await editRow(membership, edit);
  if (edit.role !== undefined && edit.role !== membership.role) throw organizationsErrors.not_in_active_standing();
  if (changed.includes('status') && isTerminal(membership.status))
    await aboveOrganizations().settleMemberDebt(membership.id);
  if (changed.includes('status') || changed.includes('role'))
    await notify(told.membership_changed, [membership.id], { cause: `changed:${membership.version}` });
}
