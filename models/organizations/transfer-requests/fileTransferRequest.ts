import { createRow } from '../../database/model/change.js';
import { lockMembership } from '../changeMembership.js';
import { requireActiveChapter } from '../chapters.js';
import { announceRequest } from '../requests/decide.js';
import { hasOtherOfficer } from '../status-change-requests/fileStatusChangeRequest.js';
import { requireMovable } from '../transfers/lockMove.js';
import { requireNoneScheduled } from '../transfers/transferOrSchedule.js';
import { transferRequests } from './kind.js';
import { TransferRequest } from './TransferRequest.js';

export interface RequestedTransfer {
  to_chapter_id: string;
  effective_on?: string | null | undefined;
  reason: string;
}

/**
 * Files a request. A transfer that could not be approved now is refused. If the new chapter has no officer other than
 * the requester, the organization decides directly.
 * @returns the request's id
 * @throws Refusal not_found, request_open, transfer_in_progress, chapter_not_active, membership_exists,
 * transition_not_allowed, validation_error
 */
export async function fileTransferRequest(membershipId: string, requestedBy: string, requested: RequestedTransfer) {
  const membership = await lockMembership(membershipId);
  await requireActiveChapter(membership.chapter_id);
  await requireMovable(membership, requested.to_chapter_id);
  await requireNoneScheduled(membershipId);
  const hasReviewer = await hasOtherOfficer(requested.to_chapter_id, requestedBy);
  const request = await createRow(TransferRequest, {
    ...requested,
    membership_id: membershipId,
    chapter_id: membership.chapter_id,
    requested_by: requestedBy,
    status: hasReviewer ? 'pending_destination' : 'pending_organization',
    first_tier_skipped: !hasReviewer,
  });
  await announceRequest(transferRequests, request);
  return request.id;
}
