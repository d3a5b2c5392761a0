import { truncate } from '../../truncate.js';
import { now } from '../../database/model/change.js';
import { refuse } from '../../errors.js';
import { lockMembership } from '../changeMembership.js';
import { changeOrSchedule } from '../lifecycle/scheduleChange.js';
import { readMembershipState } from '../lifecycle/history.js';
import { canTransition } from '../lifecycle/transitions.js';
import type { Membership } from '../Membership.js';
import { closeRequest, passToNextTier, requireOwnReason, type Review } from '../requests/decide.js';
import { isTrusted } from '../vocabulary.js';
import { hasOtherOfficer } from './fileStatusChangeRequest.js';
import { statusChangeRequests } from './kind.js';
import type { StatusChangeRequest } from './StatusChangeRequest.js';

/**
 * Maximum length of a reason in the history, which keeps only the beginning of a longer text; the request keeps all of
 * it.
 */
const MAX_REASON_LENGTH = 500;

export type StatusTier = 'officer' | 'organization';

/**
 * Returns the tier that decides now. If the chapter no longer has an officer other than the requester, the organization
 * decides.
 */
export const findStatusTier = async (request: StatusChangeRequest): Promise<StatusTier> =>
  request.status === 'pending_officer' && (await hasOtherOfficer(request.chapter_id, request.requested_by))
    ? 'officer'
    : 'organization';

/**
 * Decides a locked request. An officer's approval is final if officers may make that change themselves; otherwise the
 * organization decides after it. A change for a later day is scheduled. If the change itself is refused, the whole call
 * is refused, and the request stays pending. To readmit a disaffiliated person, the reviewer must give a reason, which
 * the history records instead of the member's reason.
 * @throws Refusal validation_error naming notes, as `requireOwnReason`; stale_version if the reviewer also gave the
 * first approval and sends no version; transition_not_allowed, and all that `changeOrSchedule` throws
 */
export async function reviewStatusChangeRequest(
  request: StatusChangeRequest,
  tier: StatusTier,
  userId: string,
  review: Review,
): Promise<void> {
  // If the person who gave the first approval decides again, require a version: a repeated click on the first approval
  // must not count as the second decision.
  if (request.first_reviewed_by === userId && review.version === undefined) throw refuse.stale_version();
  const skipped = request.status === 'pending_officer' && tier === 'organization';
  if (review.decision === 'approve') {
    const membership = await lockMembership(request.membership_id);
    if (tier === 'officer' && !(await mayOfficersChange(membership, request))) {
      const firstReview = {
        first_reviewed_by: userId,
        first_reviewed_at: now,
        first_review_notes: review.notes ?? null,
      };
      return passToNextTier(statusChangeRequests, request, { status: 'pending_organization', ...firstReview });
    }
    const { to_status: status, effective_on } = request;
    const fullReason = membership.status === 'disaffiliated' ? requireOwnReason(review) : request.reason;
    const reason = truncate(fullReason, MAX_REASON_LENGTH);
    const context = { authority: tier, reason, effectiveOn: effective_on ?? undefined, approvedRequest: request.id };
    await changeOrSchedule(membership, { status }, context);
  }
  await closeRequest(statusChangeRequests, request, review, { userId, ...(skipped && { first_tier_skipped: true }) });
}

/** Reports whether officers may make the change. They change members only, not other officers. */
async function mayOfficersChange({ id, role }: Membership, { to_status }: StatusChangeRequest): Promise<boolean> {
  return !isTrusted(role) && canTransition(await readMembershipState(id), to_status, 'officer');
}
