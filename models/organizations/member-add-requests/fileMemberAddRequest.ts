import { createRow } from '../../database/model/change.js';
import { currentOrganization, firstRow } from '../../database/rows.js';
import { normalizeEmail, USER_ID_BY_EMAIL } from '../../identity/accounts.js';
import { organizationsErrors } from '../errors.js';
import { announceRequest } from '../requests/decide.js';
import type { GraduationSeason, MembershipRole } from '../vocabulary.js';
import { memberAddRequests } from './kind.js';
import { MemberAddRequest } from './MemberAddRequest.js';
import { hasRegionalReviewer } from './tiers.js';

/** An officer's description of the person who is to become a member. */
export interface RequestedMember {
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
 * Files the request. If no person other than the requester can decide for the region, the request goes directly to the
 * organization, and a column records that the first tier was skipped.
 * @returns the request's id
 * @throws Refusal request_open, membership_exists, validation_error
 */
export async function fileMemberAddRequest(chapterId: string, requestedBy: string, requested: RequestedMember) {
  await requireNoMembership(chapterId, requested.email);
  const regional = await hasRegionalReviewer(chapterId, requestedBy);
  const request = await createRow(MemberAddRequest, {
    ...requested,
    chapter_id: chapterId,
    requested_by: requestedBy,
    status: regional ? 'pending_regional' : 'pending_organization',
    first_tier_skipped: !regional,
  });
  await announceRequest(memberAddRequests, request);
  return request.id;
}

/**
 * Refuses an address that has a membership in the chapter. It reveals no more than the chapter's roster does: any other
 * address is treated as unknown. @throws Refusal membership_exists
 */
export async function requireNoMembership(chapterId: string, email: string): Promise<void> {
  const existing = await firstRow(
    `SELECT FROM memberships m JOIN users u ON u.id = m.user_id
      WHERE m.organization_id = $2 AND m.chapter_id = $3
        AND (u.id = ${USER_ID_BY_EMAIL} OR u.typed_email = $1 AND u.placeholder_in = $2)`,
    [normalizeEmail(email), currentOrganization(), chapterId],
  );
  if (existing) throw organizationsErrors.membership_exists();
}
