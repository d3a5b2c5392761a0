import { createRow } from '../../database/model/change.js';
import { currentOrganization, firstRow } from '../../database/rows.js';
import { normalizeEmail, USER_ID_BY_EMAIL } from '../../identity/accounts.js';
import { organizationsErrors } from '../errors.js';
import { announceRequest } from '../requests/decide.js';
import type { GraduationSeason, MembershipRole } from '../vocabulary.js';
import { memberAddRequests } from './kind.js';
import { MemberAddRequest } from './MemberAddRequest.js';
import { hasRegionalReviewer } from './tiers.js';

/** What an officer says of somebody who is to become a member. */
export interface AskedMember {
  email: string;
  first_name: string;
  last_name: string;
  role: MembershipRole;
  joined_date?: string | null | undefined;
  graduation_year?: number | null | undefined;
  graduation_season?: GraduationSeason | null | undefined;
  pledge_class?: string | null | undefined;
  crossing_semester?: string | null | undefined;
  justification: string;
}

/**
 * Where nobody else could decide in the region, the organization decides at once, and the request says so.
 * @returns the request's id
 * @throws Refusal request_open, membership_exists, validation_error
 */
export async function fileMemberAddRequest(chapterId: string, requestedBy: string, asked: AskedMember) {
  await requireNoMembership(chapterId, asked.email);
  const regional = await hasRegionalReviewer(chapterId, requestedBy);
  const request = await createRow(MemberAddRequest, {
    ...asked,
    chapter_id: chapterId,
    requested_by: requestedBy,
    status: regional ? 'pending_regional' : 'pending_organization',
    first_tier_skipped: !regional,
  });
  await announceRequest(memberAddRequests, request);
  return request.id;
}

/** Says no more than the roster of the chapter does: an address that has nothing there is nobody's. @throws Refusal membership_exists */
export async function requireNoMembership(chapterId: string, email: string): Promise<void> {
  const has = await firstRow(
    `SELECT FROM memberships m JOIN users u ON u.id = m.user_id
      WHERE m.organization_id = $2 AND m.chapter_id = $3
        AND (u.id = ${USER_ID_BY_EMAIL} OR u.typed_email = $1 AND u.placeholder_in = $2)`,
    [normalizeEmail(email), currentOrganization(), chapterId],
  );
  if (has) throw organizationsErrors.membership_exists();
}
