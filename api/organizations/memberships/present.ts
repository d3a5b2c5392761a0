import type { Actor } from '../../../models/identity/Actor.js';
import type { MembershipRow } from '../../../models/organizations/memberships.js';
import { may } from '../../http/policy.js';
import { membershipPolicy } from './policy.js';

/** Presents a membership. Only managers of the chapter and the person see the address and telephone number. */
export function presentMembership(actor: Actor, row: MembershipRow) {
  const subject = { chapter_id: row.chapter, membership_id: row.id, user_id: row.user };
  const seesContact = may(actor, membershipPolicy, 'read_contact', subject);
  return { ...row, email: seesContact ? row.email : null, phone_number: seesContact ? row.phone_number : null };
}
