/** The steps by which a period's people follow it, each safe to run again: rows say who has not. */
import { audit } from '../../database/audit.js';
import { changeRow, editRow, lockIfThere } from '../../database/model/change.js';
import { currentOrganization, rows } from '../../database/rows.js';
import { RowMissing } from '../../errors.js';
import { changeMembership } from '../../organizations/changeMembership.js';
import { holdsRight, STOPPED_RIGHT_LOST } from '../../organizations/holdsRight.js';
import { withdrawNames } from '../name-assignments/withdrawNames.js';
import { lockProspect } from '../pnm/moveProspect.js';
import type { PnmStage } from '../vocabulary.js';
import { RecruitmentPeriod } from './RecruitmentPeriod.js';

const PAGE = 50;
const CLOSED = 'The recruitment period was closed.';

type Prospect = Awaited<ReturnType<typeof lockProspect>>;

/** Who is still to follow, by where the period stands. In a chapter that is not active nobody is prospective again: they stay out. */
const WAITING = {
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
    await changeMembership(membership, { status: 'inactive' }, { hand: null, source: 'intake', reason: CLOSED });
}

async function bringBack({ membership, profile }: Prospect): Promise<void> {
  if (profile.closed_from === null) return;
  const stage: PnmStage = profile.closed_from;
  // What has become of them since, stays.
  if (membership.status !== 'inactive') return void (await editRow(profile, { closed_from: null }));
  await editRow(profile, { stage, stage_reason: null, closed_from: null });
  await changeMembership(membership, { status: 'pnm' }, { hand: null, source: 'intake' });
}

/**
 * The next of them, in one transaction. A turn that another has followed is left to that one's process. Stops when the
 * person who turned the period has lost the right.
 * @returns whether there may be more
 * @throws RowMissing
 */
export async function settleNext(id: string, turn: number): Promise<boolean | typeof STOPPED_RIGHT_LOST> {
  // Nobody turns it meanwhile.
  const period = await lockIfThere(RecruitmentPeriod, id);
  if (!period) throw new RowMissing('There is no such recruitment period.');
  const { status, stop_reason } = period;
  if (period.turn === turn && stop_reason === STOPPED_RIGHT_LOST) return stop_reason;
  if (period.turn !== turn || period.settled_turn >= turn || period.stopped_turn >= turn || status === 'draft')
    return false;
  const next = await rows<{ id: string }>(
    `SELECT p.id FROM pnm_profiles p WHERE p.organization_id = $1 AND p.recruitment_period_id = $2 AND ${WAITING[status]}
      ORDER BY p.membership_id LIMIT ${PAGE}`,
    [currentOrganization(), id],
  );
  if (next.length > 0 && !(await holdsRight({ userId: period.changed_by, hand: 'organization' }))) {
    await stopTurn(id, turn, STOPPED_RIGHT_LOST);
    return STOPPED_RIGHT_LOST;
  }
  for (const { id: pnm } of next) await (status === 'closed' ? reject : bringBack)(await lockProspect(pnm));
  if (next.length === PAGE) return true;
  await changeRow(RecruitmentPeriod, { id, turn }, { settled_turn: turn });
  return false;
}

/**
 * Stops the turn: applicants who have not followed the period yet stay as they are, and those who have keep their new stage.
 * Opening the period again brings these back. Called again, it changes nothing.
 */
export async function stopTurn(
  id: string,
  turn: number,
  why: 'cancelled' | typeof STOPPED_RIGHT_LOST = 'cancelled',
): Promise<void> {
  const period = await lockIfThere(RecruitmentPeriod, { id, turn });
  if (!period || period.settled_turn >= turn || period.stopped_turn >= turn) return;
  await changeRow(RecruitmentPeriod, id, { stopped_turn: turn, stop_reason: why });
  if (why === STOPPED_RIGHT_LOST)
    await audit({ action: `recruitment_period.${why}`, subjectType: 'recruitment_period', subjectId: id });
}

/** In whose name it is done. */
export const turnedBy = async (id: string): Promise<string | null> =>
  (await lockIfThere(RecruitmentPeriod, id))?.changed_by ?? null;
