import { now } from '../../database/model/change.js';
import { refuse } from '../../errors.js';
import { closeRequest, passToNextTier, type Review } from '../requests/decide.js';
import { hasOtherOfficer } from '../status-change-requests/fileStatusChangeRequest.js';
import { lockMove, readMove } from '../transfers/lockMove.js';
import { transferOrSchedule } from '../transfers/transferOrSchedule.js';
import { transferRequests } from './kind.js';
import type { TransferRequest } from './TransferRequest.js';

export type TransferTier = 'destination' | 'organization';

/**
 * Returns the tier that decides now. If the new chapter no longer has an officer other than the requester, the
 * organization decides.
 */
export const findTransferTier = async (request: TransferRequest): Promise<TransferTier> =>
  request.status === 'pending_destination' && (await hasOtherOfficer(request.to_chapter_id, request.requested_by))
    ? 'destination'
    : 'organization';

/**
 * Decides a locked request. The new chapter decides first, then the organization, whose approval carries out the
 * transfer. If the transfer is refused, the approval is refused as well, and the request stays pending.
 * @throws Refusal stale_version if the reviewer also gave the first approval and sends no version;
 * transfer_in_progress, chapter_not_active, and all that `transferOrSchedule` throws
 */
export async function reviewTransferRequest(
  request: TransferRequest,
  tier: TransferTier,
  userId: string,
  review: Review,
): Promise<void> {
  // If the person who gave the first approval decides again, require a version: a repeated click on the first approval
  // must not count as the second decision.
  if (request.first_reviewed_by === userId && review.version === undefined) throw refuse.stale_version();
  if (tier === 'destination' && review.decision === 'approve') {
    await readMove(request.membership_id, request.to_chapter_id);
    const firstReview = { first_reviewed_by: userId, first_reviewed_at: now, first_review_notes: review.notes ?? null };
    return passToNextTier(transferRequests, request, { status: 'pending_organization', ...firstReview });
  }
  const skipped = request.status === 'pending_destination' && tier === 'organization';
  const result = review.decision === 'approve' ? await transferAsRequested(request) : {};
  await closeRequest(transferRequests, request, review, {
    userId,
    ...(skipped && { first_tier_skipped: true }),
    ...result,
  });
}

async function transferAsRequested({ id, membership_id, to_chapter_id, effective_on }: TransferRequest) {
  const move = await lockMove(membership_id, to_chapter_id);
  const { membership, scheduled } = await transferOrSchedule(move, effective_on ?? undefined, id);
  return { new_membership_id: membership, scheduled_change_id: scheduled };
}
