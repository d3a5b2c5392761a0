import { aboveOrganizations } from './above.js';
import type { MembershipProfile } from './addMember.js';
import './errors.js';
import { type Edit, editRow, lockRow } from './editRow.js';
import { Membership } from './Membership.js';
import { isTerminal, type MembershipRole, type MembershipStatus } from './vocabulary.js';

export type MembershipEdit = Edit<MembershipProfile & { role: MembershipRole; status: MembershipStatus }>;

/** Loads a membership for change; who may change it is decided on this state. @throws Refusal not_found */
export const lockMembership = (id: string): Promise<Membership> => lockRow(Membership, id);

/**
 * Changes a locked membership. One that reaches a terminal status pays its debt from the member's own credit, in the
 * same transaction (spec: States, Membership).
 * @throws Refusal stale_version, validation_error
 */
export async function changeMembership(membership: Membership, edit: MembershipEdit): Promise<void> {
  const changed = await editRow(membership, 'membership', edit);
  if (changed.includes('status') && isTerminal(membership.status))
    await aboveOrganizations().settleMemberDebt(membership.id);
}
