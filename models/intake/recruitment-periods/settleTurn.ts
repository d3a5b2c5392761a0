/**
 * Steps of a process that runs after a recruitment period was closed or reopened (a turn). They reject or restore the
 * period's prospective members. Each step can safely run again, because the rows show which people are already done.
 */
import { audit } from '../../database/audit.js';
import { changeRow, editRow, lockForEditIfExists } from '../../database/model/change.js';
import { currentOrganization, rows } from '../../database/rows.js';
import { RowMissing } from '../../errors.js';
import { changeMembership } from '../../organizations/changeMembership.js';
import { holdsRight, STOPPED_RIGHT_LOST } from '../../organizations/holdsRight.js';
import { withdrawNames } from '../name-assignments/withdrawNames.js';
import { lockProspect } from '../pnm/moveProspect.js';
import type { PnmStage } from '../vocabulary.js';
import { RecruitmentPeriod } from './RecruitmentPeriod.js';

const BATCH_SIZE = 50;
const CLOSED = 'The recruitment period was closed.';

type Prospect = Awaited<ReturnType<typeof lockProspect>>;

/**
 * SQL conditions, by the period's new status: the closing or reopening was not yet applied to the prospective member
 * `p`. Reopening skips people in inactive chapters; they stay rejected.
 */
const PENDING = {
  closed: `p.stage IN ('not_started', 'approved', 'in_progress')`,
  active: `p.closed_from IS NOT NULL AND EXISTS (
    SELECT FROM chapters c WHERE c.organization_id = $1 AND c.id = p.chapter_id AND c.status = 'active')`,
} as const;

async function reject({ membership, profile }: Prospect): Promise<void> {
  const { stage: closed_from } = profile;
  if (closed_from !== 'not_started' && closed_from !== 'approved' && closed_from !== 'in_progress') return;
  await editRow(profile, { stage: 'rejected', stage_reason: CLOSED, closed_from });
  await withdrawNames(profile.id);
  if (membership.status === 'pnm')
    await changeMembership(membership, { status: 'inactive' }, { authority: null, source: 'intake', reason: CLOSED });
}

async function restore({ membership, profile }: Prospect): Promise<void> {
  if (profile.closed_from === null) return;
  const stage: PnmStage = profile.closed_from;
  // The membership was changed after the closing. That change is kept, and the person is not restored.
  if (membership.status !== 'inactive') return void (await editRow(profile, { closed_from: null }));
  await editRow(profile, { stage, stage_reason: null, closed_from: null });
  await changeMembership(membership, { status: 'pnm' }, { authority: null, source: 'intake' });
}

/**
 * Applies the turn to the next batch of people, in one transaction. Does nothing if the period was closed or reopened
 * again, because that turn has its own process. Stops if the person who closed or reopened the period has lost the
 * right to do so.
 * @returns whether there may be more
 * @throws RowMissing
 */
export async function settleNextBatch(id: string, turn: number): Promise<boolean | typeof STOPPED_RIGHT_LOST> {
  // The lock prevents that the period is closed or reopened meanwhile.
  const period = await lockForEditIfExists(RecruitmentPeriod, id);
  if (!period) throw new RowMissing('There is no such recruitment period.');
  const { status, stop_reason } = period;
  if (period.turn === turn && stop_reason === STOPPED_RIGHT_LOST) return stop_reason;
  if (period.turn !== turn || period.settled_turn >= turn || period.stopped_turn >= turn || status === 'draft')
    return false;
  const next = await rows<{ id: string }>(
    `SELECT p.id FROM pnm_profiles p WHERE p.organization_id = $1 AND p.recruitment_period_id = $2 AND ${PENDING[status]}
      ORDER BY p.membership_id LIMIT ${BATCH_SIZE}`,
    [currentOrganization(), id],
  );
  if (next.length > 0 && !(await holdsRight({ userId: period.changed_by, authority: 'organization' }))) {
    await stopTurn(id, turn, STOPPED_RIGHT_LOST);
    return STOPPED_RIGHT_LOST;
  }
  for (const { id: pnm } of next) await (status === 'closed' ? reject : restore)(await lockProspect(pnm));
  if (next.length === BATCH_SIZE) return true;
  await changeRow(RecruitmentPeriod, { id, turn }, { settled_turn: turn });
  return false;
}

/**
 * Stops the turn (the closing or reopening). People who were not processed yet stay unchanged. People who were rejected
 * already stay rejected until the period is reopened. A repeated call changes nothing.
 */
export async function stopTurn(
  id: string,
  turn: number,
  why: 'cancelled' | typeof STOPPED_RIGHT_LOST = 'cancelled',
): Promise<void> {
  const period = await lockForEditIfExists(RecruitmentPeriod, { id, turn });
  if (!period || period.settled_turn >= turn || period.stopped_turn >= turn) return;
  await changeRow(RecruitmentPeriod, id, { stopped_turn: turn, stop_reason: why });
  if (why === STOPPED_RIGHT_LOST)
    await audit({ action: `recruitment_period.${why}`, subjectType: 'recruitment_period', subjectId: id });
}

/** Returns the id of the person who closed or reopened the period; the turn is applied in their name. */
export const turnedBy = async (id: string): Promise<string | null> =>
  (await lockForEditIfExists(RecruitmentPeriod, id))?.changed_by ?? null;
