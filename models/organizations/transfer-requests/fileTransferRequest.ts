import { createRow } from '../../database/model/change.js';
import { lockMembership } from '../changeMembership.js';
import { requireActiveChapter } from '../chapters.js';
import { announceRequest } from '../requests/decide.js';
import { hasOfficerBeside } from '../status-change-requests/fileStatusChangeRequest.js';
import { requireMovable } from '../transfers/lockMove.js';
import { requireNoneScheduled } from '../transfers/transferOrSchedule.js';
import { transferRequests } from './kind.js';
import { TransferRequest } from './TransferRequest.js';

export interface AskedTransfer {
  to_chapter_id: string;
  effective_on?: string | null | undefined;
  reason: string;
}

/**
 * What nobody could approve now is not asked for. Where the other chapter has no officer beside who asks, the organization
 * decides at once.
 * @returns the request's id
 * @throws Refusal not_found, request_open, transfer_in_progress, chapter_not_active, membership_exists,
 *   transition_not_allowed, validation_error
 */
export async function fileTransferRequest(membershipId: string, requestedBy: string, asked: AskedTransfer) {
  const membership = await lockMembership(membershipId);
  await requireActiveChapter(membership.chapter_id);
  await requireMovable(membership, asked.to_chapter_id);
  await requireNoneScheduled(membershipId);
  const beside = await hasOfficerBeside(asked.to_chapter_id, requestedBy);
  const request = await createRow(TransferRequest, {
    ...asked,
    membership_id: membershipId,
    chapter_id: membership.chapter_id,
    requested_by: requestedBy,
    status: beside ? 'pending_destination' : 'pending_organization',
    first_tier_skipped: !beside,
  });
  await announceRequest(transferRequests, request);
  return request.id;
}
