import { now } from '../../database/model/change.js';
import { refuse } from '../../errors.js';
import { addMember } from '../addMember.js';
import { requireActiveChapter } from '../chapters.js';
import { requestErrors } from '../requests/errors.js';
import { closeRequest, passToNextTier, requireOwnReason, type Review } from '../requests/decide.js';
import { isDisaffiliated } from '../requests/isDisaffiliated.js';
import type { MembershipStatus } from '../vocabulary.js';
import { requireNoMembership } from './fileMemberAddRequest.js';
import { memberAddRequests } from './kind.js';
import type { MemberAddRequest } from './MemberAddRequest.js';
import type { Tier } from './tiers.js';

export interface MemberAddReview extends Review {
  /** Status of the new member; default: undergrad, or alumni if that is the role. */
  status?: MembershipStatus | undefined;
}

/**
 * Decides a locked request. The last approval adds the member with `addMember`: a person without an account in the
 * organization is invited. If adding the member is refused, the approval is refused as well, and the request stays
 * pending.
 * @throws Refusal validation_error naming notes, as `requireOwnReason`; stale_version if the reviewer also gave the
 * first approval and sends no version; membership_exists, and all that `addMember` throws
 */
export async function reviewMemberAddRequest(
  request: MemberAddRequest,
  tier: Tier,
  userId: string,
  review: MemberAddReview,
): Promise<void> {
  // If the person who gave the first approval decides again, require a version: a repeated click on the first approval
  // must not count as the second decision.
  if (request.first_reviewed_by === userId && review.version === undefined) throw refuse.stale_version();
  if (tier === 'regional' && review.decision === 'approve') {
    await requireAddable(request);
    const firstReview = { first_reviewed_by: userId, first_reviewed_at: now, first_review_notes: review.notes ?? null };
    return passToNextTier(memberAddRequests, request, { status: 'pending_organization', ...firstReview });
  }
  if (review.decision === 'approve' && request.email !== null && (await isDisaffiliated(request.email)))
    requireOwnReason(review);
  const skipped = request.status === 'pending_regional' && tier === 'organization';
  await closeRequest(memberAddRequests, request, review, {
    userId,
    ...(skipped && { first_tier_skipped: true }),
    ...(review.decision === 'approve' && { membership_id: await addRequestedMember(request, review.status) }),
  });
}

/** Checks before the first approval that the second one could succeed. */
async function requireAddable({ chapter_id, email }: MemberAddRequest): Promise<void> {
  await requireActiveChapter(chapter_id);
  if (email !== null) await requireNoMembership(chapter_id, email);
}

function addRequestedMember(request: MemberAddRequest, status: MembershipStatus | undefined): Promise<string> {
  const { email, first_name, last_name, role, joined_date, graduation_year, graduation_season } = request;
  const { pledge_class, crossing_semester } = request;
  if (email === null) throw requestErrors.request_closed();
  return addMember(request.chapter_id, {
    email,
    first_name,
    last_name,
    role,
    status: status ?? (role === 'alumni' ? 'alumni' : 'undergrad'),
    joined_date,
    // The values of the request (spec: membership rule 5).
    graduation_year,
    graduation_season,
    pledge_class,
    crossing_semester,
  });
}
