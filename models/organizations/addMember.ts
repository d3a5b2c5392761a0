import { createRow } from '../database/model/change.js';
import { currentOrganization, firstRow } from '../database/rows.js';
import { normalizeEmail } from '../identity/accounts.js';
import { organizationsErrors } from './errors.js';
import { findPerson } from './invitations/findPerson.js';
import { sendInvitation } from './invitations/sendInvitation.js';
import { notifyAddedPerson } from './invitations/notifyAddedPerson.js';
import { Membership } from './Membership.js';
import type { GraduationSeason, MembershipRole, MembershipStatus } from './vocabulary.js';

/** Fields of a membership other than person, chapter, role and status. */
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
 * Adds a person to a chapter of the tenant by e-mail address. A person who has, or had, a membership or office in the
 * tenant becomes a member at once and is notified. Any other person is invited; until they answer, the roster and dues
 * include them under the entered name.
 * @returns the membership's id
 * @throws Refusal membership_exists, not_in_active_standing, validation_error
 */
export async function addMember(chapterId: string, member: NewMember): Promise<string> {
  const { email, first_name, last_name, ...fields } = member;
  const { userId, isPlaceholder } = await findPerson({ email, first_name, last_name });
  if (!isPlaceholder) await requireNoOpenInvitation(chapterId, email);
  const id = await addPerson(chapterId, userId, fields);
  if (isPlaceholder) await sendInvitation('membership_id', id, userId);
  else await notifyAddedPerson(userId, 'membership_added', id, { chapterId });
  return id;
}

/**
 * Adds a membership for an existing account or placeholder. @returns the membership's id @throws Refusal
 * membership_exists
 */
export const addPerson = async (
  chapterId: string,
  userId: string,
  fields: MembershipProfile & { role: MembershipRole; status: MembershipStatus },
): Promise<string> => (await createRow(Membership, { ...fields, chapter_id: chapterId, user_id: userId })).id;

/**
 * Refuses the new membership if the person has an open invitation to this chapter. This applies even if the person has
 * meanwhile joined the tenant in another way.
 */
async function requireNoOpenInvitation(chapterId: string, email: string): Promise<void> {
  const invited = await firstRow(
    `SELECT FROM users u JOIN memberships m ON m.organization_id = $1 AND m.user_id = u.id AND m.chapter_id = $2
      WHERE u.typed_email = $3 AND u.placeholder_in = $1`,
    [currentOrganization(), chapterId, normalizeEmail(email)],
  );
  if (invited) throw organizationsErrors.membership_exists();
}
