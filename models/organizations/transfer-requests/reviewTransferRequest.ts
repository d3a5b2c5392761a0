import { now } from '../../database/model/change.js';
import { refuse } from '../../errors.js';
import { closeRequest, passOn, type Review } from '../requests/decide.js';
import { hasOfficerBeside } from '../status-change-requests/fileStatusChangeRequest.js';
import { lockMove, readMove } from '../transfers/lockMove.js';
import { transferOrSchedule } from '../transfers/transferOrSchedule.js';
import { transferRequests } from './kind.js';
import type { TransferRequest } from './TransferRequest.js';

export type TransferTier = 'destination' | 'organization';

/** Who decides it now. A chapter that has lost its officers meanwhile holds nothing up. */
export const transferTierOf = async (request: TransferRequest): Promise<TransferTier> =>
  request.status === 'pending_destination' && (await hasOfficerBeside(request.to_chapter_id, request.requested_by))
    ? 'destination'
    : 'organization';

/**
 * Decides a locked request. The chapter that is to take the member in says so first, then the organization, whose approval is
 * the transfer. What would refuse that refuses the approval, and the request goes on waiting.
 * @throws Refusal stale_version for somebody who has reviewed the first tier and does not say what they have seen since;
 *   transfer_in_progress, chapter_not_active, and whatever else `transferOrSchedule` does
 */
export async function reviewTransferRequest(
  request: TransferRequest,
  tier: TransferTier,
  userId: string,
  review: Review,
): Promise<void> {
  // One click too many is no second decision.
  if (request.first_reviewed_by === userId && review.version === undefined) throw refuse.stale_version();
  if (tier === 'destination' && review.decision === 'approve') {
    await readMove(request.membership_id, request.to_chapter_id);
    const reviewed = { first_reviewed_by: userId, first_reviewed_at: now, first_review_notes: review.notes ?? null };
    return passOn(transferRequests, request, { status: 'pending_organization', ...reviewed });
  }
  const skipped = request.status === 'pending_destination' && tier === 'organization';
  const effect = review.decision === 'approve' ? await carryOut(request) : {};
  await closeRequest(transferRequests, request, review, {
    userId,
    ...(skipped && { first_tier_skipped: true }),
    ...effect,
  });
}

async function carryOut({ id, membership_id, to_chapter_id, effective_on }: TransferRequest) {
  const move = await lockMove(membership_id, to_chapter_id);
  const { membership, scheduled } = await transferOrSchedule(move, effective_on ?? undefined, id);
  return { new_membership_id: membership, scheduled_change_id: scheduled };
}
