import type { Actor } from '../../../models/identity/Actor.js';
import type { Edit } from '../../../models/database/model/change.js';
import type { Membership } from '../../../models/organizations/Membership.js';
import { isTerminal, isTrusted, type MembershipStatus } from '../../../models/organizations/vocabulary.js';
import { authorize } from '../../http/policy.js';
import { membershipPolicy } from './policy.js';

/** Leaving a terminal status for one that is not, or coming back from disaffiliation at all. */
const reverses = (from: MembershipStatus, to: MembershipStatus): boolean =>
  isTerminal(from) && from !== to && (from === 'disaffiliated' || !isTerminal(to));

/**
 * Officers manage members, not one another, and appoint nobody: so nobody rises by an officer's hand, the officer
 * included.
 * @throws Refusal forbidden
 */
export function authorizeChange(actor: Actor, membership: Membership, { role, status }: Edit<Membership>): void {
  const { id: membership_id, chapter_id, user_id } = membership;
  const subject = { membership_id, chapter_id, user_id };
  authorize(actor, membershipPolicy, 'update', subject);
  const changesRole = role !== undefined && role !== membership.role;
  const changesStatus = status !== undefined && status !== membership.status;
  const ofTrust = isTrusted(membership.role) || (changesRole && isTrusted(role));
  if (((changesRole || changesStatus) && ofTrust) || (changesStatus && reverses(membership.status, status))) {
    authorize(actor, membershipPolicy, 'govern', subject);
  }
}
