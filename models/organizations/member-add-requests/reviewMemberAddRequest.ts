import { now } from '../../database/model/change.js';
import { refuse } from '../../errors.js';
import { addMember } from '../addMember.js';
import { requireActiveChapter } from '../chapters.js';
import { requestErrors } from '../requests/errors.js';
import { closeRequest, passOn, requireOwnReason, type Review } from '../requests/decide.js';
import { isDisaffiliated } from '../requests/isDisaffiliated.js';
import type { MembershipStatus } from '../vocabulary.js';
import { requireNoMembership } from './fileMemberAddRequest.js';
import { memberAddRequests } from './kind.js';
import type { MemberAddRequest } from './MemberAddRequest.js';
import type { Tier } from './tiers.js';

export interface MemberAddReview extends Review {
  /** Left out: undergrad, or alumni where that is the role. */
  status?: MembershipStatus | undefined;
}

/**
 * Decides a locked request. The last approval makes the membership exactly as somebody who adds it by hand does: whoever is
 * not known here is invited first. What would refuse that refuses the approval, and the request goes on waiting.
 * @throws Refusal validation_error naming notes, as `requireOwnReason`; stale_version for somebody who has reviewed the first tier and does not say what they have seen since;
 *   membership_exists, and whatever else `addMember` does
 */
export async function reviewMemberAddRequest(
  request: MemberAddRequest,
  tier: Tier,
  userId: string,
  review: MemberAddReview,
): Promise<void> {
  // One click too many is no second decision.
  if (request.first_reviewed_by === userId && review.version === undefined) throw refuse.stale_version();
  if (tier === 'regional' && review.decision === 'approve') {
    await requirePossible(request);
    const reviewed = { first_reviewed_by: userId, first_reviewed_at: now, first_review_notes: review.notes ?? null };
    return passOn(memberAddRequests, request, { status: 'pending_organization', ...reviewed });
  }
  if (review.decision === 'approve' && request.email !== null && (await isDisaffiliated(request.email)))
    requireOwnReason(review);
  const skipped = request.status === 'pending_regional' && tier === 'organization';
  await closeRequest(memberAddRequests, request, review, {
    userId,
    ...(skipped && { first_tier_skipped: true }),
    ...(review.decision === 'approve' && { membership_id: await makeMembership(request, review.status) }),
  });
}

/** The first of two says yes to what the second could do. */
async function requirePossible({ chapter_id, email }: MemberAddRequest): Promise<void> {
  await requireActiveChapter(chapter_id);
  if (email !== null) await requireNoMembership(chapter_id, email);
}

function makeMembership(request: MemberAddRequest, status: MembershipStatus | undefined): Promise<string> {
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
    // As they were asked for (spec: membership rule 5).
    graduation_year,
    graduation_season,
    pledge_class,
    crossing_semester,
  });
}
