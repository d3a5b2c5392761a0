import { lockRow } from '../../database/model/change.js';
import { loadRow } from '../../database/model/read.js';
import { closeRequest, type Review } from '../../organizations/requests/decide.js';
import { crossProspect, lockProspect, type StageMove } from '../pnm/moveProspect.js';
import { nameAssignments } from './kind.js';
import { NameAssignment } from './NameAssignment.js';
import { requireNameable } from './proposeName.js';
import { lockName, requireFree } from './taken.js';

export interface NameReview extends Review, Pick<StageMove, 'crossedAt' | 'membershipStatus' | 'lineNumber'> {
  confirmsTaken: boolean;
}

/** The person first, then what is proposed: in the order in which whoever changes either locks. @throws Refusal not_found */
export async function lockAssignment(id: string) {
  const { profile_id } = await loadRow(NameAssignment, id);
  const prospect = await lockProspect(profile_id);
  return { prospect, assignment: await lockRow(NameAssignment, id) };
}

/**
 * Decides a locked proposal: approved, the person crosses, from `approved` too; who has crossed already gets the name only.
 * @throws Refusal transition_not_allowed, name_taken unless that is confirmed, chapter_not_active, validation_error
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
    if (!confirmsTaken) await requireFree(assignment.chapter_id, profile.id, assignment.name_key);
    if (profile.stage !== 'completed') await crossProspect(prospect, { crossedAt, membershipStatus, lineNumber });
  }
  await closeRequest(nameAssignments, assignment, review, { userId });
}
