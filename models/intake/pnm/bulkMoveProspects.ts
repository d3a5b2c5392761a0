/**
 * Moves several prospective members of a chapter to the same stage, each on its own, so that one refusal does not
 * affect the others.
 */
import { currentOrganization, rows } from '../../database/rows.js';
import { refuse } from '../../errors.js';
import type { Authority } from '../../organizations/lifecycle/transitions.js';
import { type ReviewOutcome, reviewMany } from '../../organizations/requests/reviewMany.js';
import type { PnmStage } from '../vocabulary.js';
import { lockProspect, moveProspect, type StageMove } from './moveProspect.js';

export interface StageOutcome extends Pick<ReviewOutcome, 'id' | 'error'> {
  /** Null if the move was refused. */
  stage: PnmStage | null;
}

const NOT_FOUND: Omit<StageOutcome, 'id'> = {
  stage: null,
  error: { code: 'not_found', detail: refuse.not_found().message, errors: {} },
};

/**
 * Moves the people in the order of their memberships, like all code that locks several, to avoid deadlocks.
 * @returns the outcomes in the order of `ids`
 */
export async function bulkMoveProspects(
  chapterId: string,
  ids: readonly string[],
  move: StageMove,
  authority: Authority,
): Promise<StageOutcome[]> {
  const existing = await rows<{ id: string; membership_id: string }>(
    'SELECT id, membership_id FROM pnm_profiles WHERE organization_id = $1 AND chapter_id = $2 AND id = ANY ($3)',
    [currentOrganization(), chapterId, ids],
  );
  const profiles = new Map(existing.map(({ id, membership_id }) => [membership_id, id]));
  const moved = await reviewMany([...profiles.keys()], async (membership) => {
    const prospect = await lockProspect(profiles.get(membership) as string);
    // The person may have been transferred meanwhile.
    if (prospect.membership.chapter_id !== chapterId) throw refuse.not_found();
    await moveProspect(prospect, move, authority);
    return move.to;
  });
  const outcomes = new Map(
    moved.map(({ id, status, error }) => [profiles.get(id), { stage: status === null ? null : move.to, error }]),
  );
  return [...new Set(ids)].map((id) => ({ id, ...(outcomes.get(id) ?? NOT_FOUND) }));
}
