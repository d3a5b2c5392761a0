import type { Actor } from '../../../models/identity/Actor.js';
import type { Authority } from '../../../models/organizations/lifecycle/transitions.js';
import type { Membership } from '../../../models/organizations/Membership.js';
import { authorize, may, type Subject } from '../../http/policy.js';
import { membershipPolicy } from './policy.js';

/**
 * Authorizes a change of a membership. The transition table decides which status and role changes each authority level
 * may make (`lifecycle/transitions.ts`).
 * @returns the authority with which the actor changes it
 * @throws Refusal forbidden
 */
export function authorizeChange(actor: Actor, { id: membership_id, chapter_id, user_id }: Membership): Authority {
  const subject = { membership_id, chapter_id, user_id };
  authorize(actor, membershipPolicy, 'update', subject);
  return highestAuthority(actor, subject);
}

/** Returns the highest authority level that the actor has for the membership. */
function highestAuthority(actor: Actor, subject: Subject): Authority {
  if (may(actor, membershipPolicy, 'decide', subject)) return 'organization';
  return may(actor, membershipPolicy, 'govern', subject) ? 'region' : 'officer';
}
