import type { Actor } from '../../../models/identity/Actor.js';
import type { MembershipRow } from '../../../models/organizations/memberships.js';
import { may } from '../../http/policy.js';
import { membershipPolicy } from './policy.js';

/** Address and telephone number are for those who manage the chapter, and for the person. */
export function presentMembership(actor: Actor, row: MembershipRow) {
  const subject = { chapter_id: row.chapter, membership_id: row.id, user_id: row.user };
  const known = may(actor, membershipPolicy, 'read_contact', subject);
  return { ...row, email: known ? row.email : null, phone_number: known ? row.phone_number : null };
}
