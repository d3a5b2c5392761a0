import './errors.js';
import { createRow } from './editRow.js';
import { findOrCreatePerson } from './findOrCreatePerson.js';
import { Membership } from './Membership.js';
import type { GraduationSeason, MembershipRole, MembershipStatus } from './vocabulary.js';

/** What a membership says beside its person, chapter, role and status. */
export interface MembershipProfile {
  joined_date?: string | null | undefined;
  graduation_year?: number | null | undefined;
  graduation_season?: GraduationSeason | null | undefined;
  pledge_class?: string | null | undefined;
  line_number?: number | null | undefined;
  crossing_semester?: string | null | undefined;
  crossing_date?: string | null | undefined;
}

export interface NewMember extends MembershipProfile {
  email: string;
  first_name: string;
  last_name: string;
  role: MembershipRole;
  status: MembershipStatus;
}

/**
 * Adds a person to a chapter of the tenant, by address; somebody new gets an account without a password.
 * @returns the membership's id
 * @throws Refusal membership_exists, validation_error
 */
export async function addMember(chapterId: string, member: NewMember): Promise<string> {
  const { email, first_name, last_name, ...fields } = member;
  const user_id = await findOrCreatePerson({ email, first_name, last_name });
  return createRow(Membership, 'membership', { ...fields, chapter_id: chapterId, user_id });
}
