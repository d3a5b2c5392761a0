import { editRow, lockRow } from '../../database/model/change.js';
import { loadRow, readRow } from '../../database/model/read.js';
import { dispatchTriggered } from '../../database/outbox.js';
import { changeMembership, lockMembership } from '../../organizations/changeMembership.js';
import { organizationsErrors } from '../../organizations/errors.js';
import { requireActiveChapter } from '../../organizations/chapters.js';
import { readStanding } from '../../organizations/lifecycle/history.js';
import type { Hand } from '../../organizations/lifecycle/transitions.js';
import { Crossing } from '../crossings/Crossing.js';
import { withdrawNames } from '../name-assignments/withdrawNames.js';
import { holdRunning } from '../recruitment-periods/holdRunning.js';
import type { PnmStage } from '../vocabulary.js';
import { crossingDay } from './crossingDay.js';
import { PnmProfile } from './PnmProfile.js';
import { requireReady, type Waiver } from './readiness.js';
import { mailApproval } from './mailApproval.js';
import { isOut, requireMove } from './stages.js';

export interface StageMove extends Waiver {
  to: PnmStage;
  /** Who is approved is mailed. */
  notifyApplicant?: boolean | undefined;
  /** What the editor saw. */
  version?: number | undefined;
  /** Of who crosses; left out: now, undergrad, and the number that stands. */
  crossedAt?: string | undefined;
  membershipStatus?: 'undergrad' | 'associate' | undefined;
  lineNumber?: number | undefined;
}

/** The membership first, then its profile: in the order in which whoever changes either locks. @throws Refusal not_found */
export async function lockProspect(id: string) {
  const { membership_id } = await loadRow(PnmProfile, id);
  const membership = await lockMembership(membership_id);
  return { membership, profile: await lockRow(PnmProfile, id) };
}

/** Nobody comes back to an intake that is over, nor who became something else meanwhile. @throws Refusal transition_not_allowed */
async function requireOut({ membership, profile }: Awaited<ReturnType<typeof lockProspect>>): Promise<void> {
  const { status } = membership;
  const { recruitment_period_id } = profile;
  if (status !== 'inactive') throw organizationsErrors.transition_not_allowed(`This membership is ${status} by now.`);
  if (recruitment_period_id !== null && !(await holdRunning(recruitment_period_id)))
    throw organizationsErrors.transition_not_allowed('The recruitment period in which they came is closed.');
}

/**
 * Moves a locked prospective member to another stage, and the membership with it: who is out is inactive, who comes back a
 * prospective member, and who completes crosses. A trigger then makes the crossing and starts its process, once.
 * @throws Refusal stale_version, already_crossed, transition_not_allowed, forbidden, validation_error, chapter_not_active, intake_not_ready
 */
export async function moveProspect(
  { membership, profile }: Awaited<ReturnType<typeof lockProspect>>,
  { to, reason, version, waive, notifyApplicant, ...crossing }: StageMove,
  hand: Hand,
): Promise<void> {
  const from = profile.stage;
  requireMove(from, to, hand, reason);
  if (to === 'completed') return crossProspect({ membership, profile }, { reason, version, ...crossing });
  if (!isOut(to)) await requireActiveChapter(membership.chapter_id);
  if (to === 'approved') await requireReady(profile.id, { waive, reason });
  if (to === 'not_started') await requireOut({ membership, profile });
  await editRow(profile, { stage: to, stage_reason: isOut(to) ? (reason ?? null) : null, closed_from: null, version });
  if (isOut(to)) await withdrawNames(profile.id);
  if (to === 'approved' && notifyApplicant) await mailApproval(membership.id);
  const status = isOut(to) ? 'inactive' : 'pnm';
  if (membership.status !== status)
    await changeMembership(membership, { status }, { hand: null, source: 'intake', reason });
}

/**
 * A locked prospective member becomes a member; a trigger makes the crossing and starts its process, once.
 * @throws Refusal stale_version, validation_error, chapter_not_active
 */
export async function crossProspect(
  { membership, profile }: Awaited<ReturnType<typeof lockProspect>>,
  {
    reason,
    version,
    crossedAt,
    membershipStatus: status = 'undergrad',
    lineNumber: line_number,
  }: Omit<StageMove, 'to' | 'waive' | 'notifyApplicant'>,
): Promise<void> {
  await requireActiveChapter(membership.chapter_id);
  const { crossed_at, day } = await crossingDay(crossedAt);
  const { since, today } = await readStanding(membership.id);
  const effectiveOn = day < since ? since : day > today ? today : day;
  await editRow(profile, { stage: 'completed', stage_reason: null, crossed_at, version });
  await changeMembership(membership, { status, line_number }, { hand: null, source: 'crossing', reason, effectiveOn });
  const { workflow_id } = await readRow(Crossing, { membership_id: membership.id, reverted_at: null });
  await dispatchTriggered([workflow_id]);
}
