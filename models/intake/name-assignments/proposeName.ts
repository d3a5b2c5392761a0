import { createRow } from '../../database/model/change.js';
import { organizationsErrors } from '../../organizations/errors.js';
import { requireActiveChapter } from '../../organizations/chapters.js';
import { announceRequest } from '../../organizations/requests/decide.js';
import type { PnmProfile } from '../pnm/PnmProfile.js';
import type { PnmStage } from '../vocabulary.js';
import { nameAssignments } from './kind.js';
import { NameAssignment } from './NameAssignment.js';
import { nameKey, requireNameFree } from './nameAvailability.js';

/**
 * Stages in which a person may get a name. In stage `completed` the person is already a member, so an approval only
 * sets the name.
 */
const NAMEABLE_STAGES: ReadonlySet<PnmStage> = new Set(['approved', 'in_progress', 'completed']);

/** Requires that the person is approved and has not left the intake. @throws Refusal transition_not_allowed */
export function requireNameable({ stage }: Pick<PnmProfile, 'stage'>): void {
  if (!NAMEABLE_STAGES.has(stage))
    throw organizationsErrors.transition_not_allowed(`This prospective member is ${stage} and cannot get a name.`);
}

/**
 * Proposes a name for a locked prospective member.
 * @returns the id of the proposal
 * @throws Refusal transition_not_allowed, name_taken unless the proposer has confirmed the duplicate, request_open,
 * chapter_not_active, validation_error
 */
export async function proposeName(
  profile: PnmProfile,
  requestedBy: string,
  { name, confirmsTaken }: { name: string; confirmsTaken: boolean },
): Promise<string> {
  requireNameable(profile);
  const { id: profile_id, chapter_id } = profile;
  await requireActiveChapter(chapter_id);
  const name_key = nameKey(name);
  if (!confirmsTaken) await requireNameFree(chapter_id, profile_id, name_key);
  const columns = { chapter_id, profile_id, name, name_key, requested_by: requestedBy, status: 'proposed' } as const;
  const assignment = await createRow(NameAssignment, columns);
  await announceRequest(nameAssignments, assignment);
  return assignment.id;
}
