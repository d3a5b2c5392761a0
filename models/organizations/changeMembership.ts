import { type Edit, editRow, lockRow } from '../database/model/change.js';
import { aboveOrganizations } from './above.js';
import { Membership } from './Membership.js';
import { isTerminal } from './vocabulary.js';

/** Loads a membership for change; who may change it is decided on this state. @throws Refusal not_found */
export const lockMembership = (id: string): Promise<Membership> => lockRow(Membership, id);

/**
 * Changes a locked membership. One that reaches a terminal status pays its debt from the member's own credit, in the
 * same transaction (spec: States, Membership).
 * @throws Refusal stale_version, validation_error
 */
export async function changeMembership(membership: Membership, edit: Edit<Membership>): Promise<void> {
  const changed = await editRow(membership, edit);
  if (changed.includes('status') && isTerminal(membership.status))
    await aboveOrganizations().settleMemberDebt(membership.id);
}
