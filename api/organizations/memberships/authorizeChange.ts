import type { Actor } from '../../../models/identity/Actor.js';
import type { Edit } from '../../../models/database/model/change.js';
import type { Hand } from '../../../models/organizations/lifecycle/transitions.js';
import type { Membership } from '../../../models/organizations/Membership.js';
import { isTrusted } from '../../../models/organizations/vocabulary.js';
import { authorize, may, type Subject } from '../../http/policy.js';
import { membershipPolicy } from './policy.js';

/**
 * Officers manage members, not one another, and appoint nobody: so nobody rises by an officer's hand, the officer
 * included. Which status may become which is the table's to say (`lifecycle/transitions.ts`).
 * @returns by whose right the actor changes it
 * @throws Refusal forbidden
 */
export function authorizeChange(actor: Actor, membership: Membership, { role, status }: Edit<Membership>): Hand {
  const { id: membership_id, chapter_id, user_id } = membership;
  const subject = { membership_id, chapter_id, user_id };
  authorize(actor, membershipPolicy, 'update', subject);
  const changesRole = role !== undefined && role !== membership.role;
  const changesStatus = status !== undefined && status !== membership.status;
  const ofTrust = isTrusted(membership.role) || (changesRole && isTrusted(role));
  if ((changesRole || changesStatus) && ofTrust) authorize(actor, membershipPolicy, 'govern', subject);
  return handOf(actor, subject);
}

/** The farthest right that an actor has in what may be changed here. */
function handOf(actor: Actor, subject: Subject): Hand {
  if (may(actor, membershipPolicy, 'decide', subject)) return 'organization';
  return may(actor, membershipPolicy, 'govern', subject) ? 'region' : 'officer';
}
