import type { Actor } from '../../../models/identity/Actor.js';
import type { Hand } from '../../../models/organizations/lifecycle/transitions.js';
import type { Membership } from '../../../models/organizations/Membership.js';
import { authorize, may, type Subject } from '../../http/policy.js';
import { membershipPolicy } from './policy.js';

/**
 * Which status may become which, and whose role is whose to change, is the table's to say (`lifecycle/transitions.ts`).
 * @returns by whose right the actor changes it
 * @throws Refusal forbidden
 */
export function authorizeChange(actor: Actor, { id: membership_id, chapter_id, user_id }: Membership): Hand {
  const subject = { membership_id, chapter_id, user_id };
  authorize(actor, membershipPolicy, 'update', subject);
  return handOf(actor, subject);
}

/** The farthest right that an actor has in what may be changed here. */
function handOf(actor: Actor, subject: Subject): Hand {
  if (may(actor, membershipPolicy, 'decide', subject)) return 'organization';
  return may(actor, membershipPolicy, 'govern', subject) ? 'region' : 'officer';
}
