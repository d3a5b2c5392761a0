import { createRow } from '../../database/model/change.js';
import { currentOrganization, firstRow } from '../../database/rows.js';
import { invalid } from '../../errors.js';
import { lockMembership } from '../changeMembership.js';
import { readStanding } from '../lifecycle/history.js';
import { isAhead } from '../lifecycle/scheduleChange.js';
import { requireTransition } from '../lifecycle/transitions.js';
import { showDocument } from '../files/storedFiles.js';
import { announceRequest } from '../requests/decide.js';
import type { MembershipStatus } from '../vocabulary.js';
import { statusChangeRequests } from './kind.js';
import { StatusChangeRequest } from './StatusChangeRequest.js';

export interface AskedStatus {
  status: MembershipStatus;
  effective_on?: string | null | undefined;
  reason: string;
  /** A file that they have uploaded for it. */
  document?: string | null | undefined;
}

/** Whether anybody but the one who asks leads the chapter. */
export const hasOfficerBeside = async (chapterId: string, requestedBy: string): Promise<boolean> =>
  (await firstRow('SELECT FROM app.leaders_beside($1, $2, $3) LIMIT 1', [
    currentOrganization(),
    chapterId,
    requestedBy,
  ])) !== null;

/**
 * What nobody could ever approve is not asked for. Where the chapter has no other officer, the organization decides at once.
 * @returns the request's id
 * @throws Refusal not_found, request_open, transition_not_allowed, validation_error
 */
export async function fileStatusChangeRequest(membershipId: string, requestedBy: string, asked: AskedStatus) {
  const { id, chapter_id } = await lockMembership(membershipId);
  const { today: _today, since: _since, ...standing } = await readStanding(id);
  const { status: to_status, effective_on = null, reason, document = null } = asked;
  if (to_status === standing.status) throw invalid('status', 'It is that already.');
  requireTransition(standing, to_status, 'organization', reason);
  // Refuses a day that is too far off.
  if (effective_on !== null) await isAhead(effective_on);
  if (document !== null) await showDocument(document, requestedBy);
  const beside = await hasOfficerBeside(chapter_id, requestedBy);
  const request = await createRow(StatusChangeRequest, {
    membership_id: id,
    chapter_id,
    from_status: standing.status,
    to_status,
    effective_on,
    reason,
    document_id: document,
    requested_by: requestedBy,
    status: beside ? 'pending_officer' : 'pending_organization',
    first_tier_skipped: !beside,
  });
  await announceRequest(statusChangeRequests, request);
  return request.id;
}
