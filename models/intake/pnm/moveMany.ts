/** Many of a chapter moved to the same stage: each by itself, so that one that is refused keeps back no other. */
import { currentOrganization, rows } from '../../database/rows.js';
import { refuse } from '../../errors.js';
import type { Hand } from '../../organizations/lifecycle/transitions.js';
import { type Outcome, reviewMany } from '../../organizations/requests/reviewMany.js';
import type { PnmStage } from '../vocabulary.js';
import { lockProspect, moveProspect, type StageMove } from './moveProspect.js';

export interface StageOutcome extends Pick<Outcome, 'id' | 'error'> {
  /** Null where it was refused. */
  stage: PnmStage | null;
}

const NOBODY: Omit<StageOutcome, 'id'> = {
  stage: null,
  error: { code: 'not_found', detail: refuse.not_found().message, errors: {} },
};

/** In the order of memberships, as everybody locks several of them; the answer in that of `ids`. */
export async function moveMany(
  chapterId: string,
  ids: readonly string[],
  move: StageMove,
  hand: Hand,
): Promise<StageOutcome[]> {
  const found = await rows<{ id: string; membership_id: string }>(
    'SELECT id, membership_id FROM pnm_profiles WHERE organization_id = $1 AND chapter_id = $2 AND id = ANY ($3)',
    [currentOrganization(), chapterId, ids],
  );
  const profiles = new Map(found.map(({ id, membership_id }) => [membership_id, id]));
  const moved = await reviewMany([...profiles.keys()], async (membership) => {
    const prospect = await lockProspect(profiles.get(membership) as string);
    // Somebody may have been transferred meanwhile.
    if (prospect.membership.chapter_id !== chapterId) throw refuse.not_found();
    await moveProspect(prospect, move, hand);
    return move.to;
  });
  const outcomes = new Map(
    moved.map(({ id, status, error }) => [profiles.get(id), { stage: status === null ? null : move.to, error }]),
  );
  return [...new Set(ids)].map((id) => ({ id, ...(outcomes.get(id) ?? NOBODY) }));
}
