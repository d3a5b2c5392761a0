import { createRow } from '../../database/model/change.js';
import { organizationsErrors } from '../../organizations/errors.js';
import { requireActiveChapter } from '../../organizations/chapters.js';
import { announceRequest } from '../../organizations/requests/decide.js';
import type { PnmProfile } from '../pnm/PnmProfile.js';
import type { PnmStage } from '../vocabulary.js';
import { nameAssignments } from './kind.js';
import { NameAssignment } from './NameAssignment.js';
import { nameKey, requireFree } from './taken.js';

/** Stages in which somebody may get a name; who has crossed gets the name only. */
const NAMED: ReadonlySet<PnmStage> = new Set(['approved', 'in_progress', 'completed']);

/** @throws Refusal transition_not_allowed before somebody is approved, and of who is out */
export function requireNameable({ stage }: Pick<PnmProfile, 'stage'>): void {
  if (!NAMED.has(stage))
    throw organizationsErrors.transition_not_allowed(`This prospective member is ${stage}, and gets no name.`);
}

/**
 * Proposes a name for a locked prospective member.
 * @returns its id
 * @throws Refusal transition_not_allowed, name_taken unless that is confirmed, request_open, chapter_not_active, validation_error
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
  if (!confirmsTaken) await requireFree(chapter_id, profile_id, name_key);
  const proposed = { chapter_id, profile_id, name, name_key, requested_by: requestedBy, status: 'proposed' } as const;
  const made = await createRow(NameAssignment, proposed);
  await announceRequest(nameAssignments, made);
  return made.id;
}
