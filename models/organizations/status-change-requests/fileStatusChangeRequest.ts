import { createRow } from '../../database/model/change.js';
import { currentOrganization, firstRow } from '../../database/rows.js';
import { invalid } from '../../errors.js';
import { lockMembership } from '../changeMembership.js';
import { readMembershipState } from '../lifecycle/history.js';
import { isFutureDay } from '../lifecycle/scheduleChange.js';
import { requireTransition } from '../lifecycle/transitions.js';
import { attachDocument } from '../files/storedFiles.js';
import { announceRequest } from '../requests/decide.js';
import type { MembershipStatus } from '../vocabulary.js';
import { statusChangeRequests } from './kind.js';
import { StatusChangeRequest } from './StatusChangeRequest.js';

export interface RequestedStatusChange {
  status: MembershipStatus;
  effective_on?: string | null | undefined;
  reason: string;
  /** A document that the member uploaded for the request. */
  document?: string | null | undefined;
}

/** Reports whether the chapter has an officer other than the requester. */
export const hasOtherOfficer = async (chapterId: string, requestedBy: string): Promise<boolean> =>
  (await firstRow('SELECT FROM app.other_chapter_leaders($1, $2, $3) LIMIT 1', [
    currentOrganization(),
    chapterId,
    requestedBy,
  ])) !== null;

/**
 * Files a request. A change that could never be approved is refused. If the chapter has no other officer, the
 * organization decides directly.
 * @returns the request's id
 * @throws Refusal not_found, request_open, transition_not_allowed, validation_error
 */
export async function fileStatusChangeRequest(
  membershipId: string,
  requestedBy: string,
  requested: RequestedStatusChange,
) {
  const { id, chapter_id } = await lockMembership(membershipId);
  const { today: _today, since: _since, ...current } = await readMembershipState(id);
  const { status: to_status, effective_on = null, reason, document = null } = requested;
  if (to_status === current.status) throw invalid('status', 'The membership already has this status.');
  requireTransition(current, to_status, 'organization', reason);
  // Called only so that a day that is too far in the future is refused; the result is not used.
  if (effective_on !== null) await isFutureDay(effective_on);
  if (document !== null) await attachDocument(document, requestedBy);
  const hasReviewer = await hasOtherOfficer(chapter_id, requestedBy);
  const request = await createRow(StatusChangeRequest, {
    membership_id: id,
    chapter_id,
    from_status: current.status,
    to_status,
    effective_on,
    reason,
    document_id: document,
    requested_by: requestedBy,
    status: hasReviewer ? 'pending_officer' : 'pending_organization',
    first_tier_skipped: !hasReviewer,
  });
  await announceRequest(statusChangeRequests, request);
  return request.id;
}
