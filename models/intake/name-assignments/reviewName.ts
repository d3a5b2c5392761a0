import { lockForEdit } from '../../database/model/change.js';
import { loadRow } from '../../database/model/read.js';
import { closeRequest, type Review } from '../../organizations/requests/decide.js';
import { crossProspect, lockProspect, type StageMove } from '../pnm/moveProspect.js';
import { nameAssignments } from './kind.js';
import { NameAssignment } from './NameAssignment.js';
import { requireNameable } from './proposeName.js';
import { lockName, requireNameFree } from './nameAvailability.js';

export interface NameReview extends Review, Pick<StageMove, 'crossedAt' | 'membershipStatus' | 'lineNumber'> {
  confirmsTaken: boolean;
}

/**
 * Locks the prospective member and then the name proposal, in the order that all code uses.
 * @throws Refusal not_found
 */
export async function lockAssignment(id: string) {
  const { profile_id } = await loadRow(NameAssignment, id);
  const prospect = await lockProspect(profile_id);
  return { prospect, assignment: await lockForEdit(NameAssignment, id) };
}

/**
 * Decides on a locked proposal. Approval gives the person the name and makes them a member, even from stage `approved`.
 * A person who is already a member only gets the name.
 * @throws Refusal transition_not_allowed, name_taken unless confirmed, chapter_not_active, validation_error
 */
export async function reviewName(
  { prospect, assignment }: Awaited<ReturnType<typeof lockAssignment>>,
  userId: string,
  { confirmsTaken, crossedAt, membershipStatus, lineNumber, ...review }: NameReview,
): Promise<void> {
  if (review.decision === 'approve') {
    const { profile } = prospect;
    requireNameable(profile);
    await lockName(assignment.chapter_id, assignment.name_key);
    if (!confirmsTaken) await requireNameFree(assignment.chapter_id, profile.id, assignment.name_key);
    if (profile.stage !== 'completed') await crossProspect(prospect, { crossedAt, membershipStatus, lineNumber });
  }
  await closeRequest(nameAssignments, assignment, review, { userId });
}
