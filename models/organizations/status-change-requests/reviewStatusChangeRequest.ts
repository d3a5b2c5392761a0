import { beginningOf } from '../../beginningOf.js';
import { now } from '../../database/model/change.js';
import { refuse } from '../../errors.js';
import { lockMembership } from '../changeMembership.js';
import { changeOrSchedule } from '../lifecycle/scheduleChange.js';
import { readStanding } from '../lifecycle/history.js';
import { mayMove } from '../lifecycle/transitions.js';
import type { Membership } from '../Membership.js';
import { closeRequest, passOn, requireOwnReason, type Review } from '../requests/decide.js';
import { isTrusted } from '../vocabulary.js';
import { hasOfficerBeside } from './fileStatusChangeRequest.js';
import { statusChangeRequests } from './kind.js';
import type { StatusChangeRequest } from './StatusChangeRequest.js';

/** The history keeps the beginning of what was said; the request has all of it. */
const LONGEST_REASON = 500;

export type StatusTier = 'officer' | 'organization';

/** Who decides it now. A chapter that has lost its officers meanwhile holds nothing up. */
export const statusTierOf = async (request: StatusChangeRequest): Promise<StatusTier> =>
  request.status === 'pending_officer' && (await hasOfficerBeside(request.chapter_id, request.requested_by))
    ? 'officer'
    : 'organization';

/**
 * Decides a locked request. An officer's approval is the last where officers may make that change by hand, else the
 * organization decides after it. For a day to come the approval schedules it. What would refuse the change refuses the
 * approval, and the request goes on waiting. Bringing a disaffiliated person back takes the reviewer's own reason, which
 * the history keeps in place of the member's.
 * @throws Refusal validation_error naming notes, as `requireOwnReason`;
 *    Refusal stale_version for somebody who has reviewed the first tier and does not say what they have seen since;
 *   transition_not_allowed, and whatever else `changeOrSchedule` does
 */
export async function reviewStatusChangeRequest(
  request: StatusChangeRequest,
  tier: StatusTier,
  userId: string,
  review: Review,
): Promise<void> {
  // One click too many is no second decision.
  if (request.first_reviewed_by === userId && review.version === undefined) throw refuse.stale_version();
  const skipped = request.status === 'pending_officer' && tier === 'organization';
  if (review.decision === 'approve') {
    const membership = await lockMembership(request.membership_id);
    if (tier === 'officer' && !(await isOfficersToMake(membership, request))) {
      const reviewed = { first_reviewed_by: userId, first_reviewed_at: now, first_review_notes: review.notes ?? null };
      return passOn(statusChangeRequests, request, { status: 'pending_organization', ...reviewed });
    }
    const { to_status: status, effective_on } = request;
    const why = membership.status === 'disaffiliated' ? requireOwnReason(review) : request.reason;
    const reason = beginningOf(why, LONGEST_REASON);
    const manner = { hand: tier, reason, effectiveOn: effective_on ?? undefined, approvedRequest: request.id };
    await changeOrSchedule(membership, { status }, manner);
  }
  await closeRequest(statusChangeRequests, request, review, { userId, ...(skipped && { first_tier_skipped: true }) });
}

/** Officers change members, not one another. */
async function isOfficersToMake({ id, role }: Membership, { to_status }: StatusChangeRequest): Promise<boolean> {
  return !isTrusted(role) && mayMove(await readStanding(id), to_status, 'officer');
}
