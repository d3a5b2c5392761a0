import { editRow, lockForEdit } from '../../database/model/change.js';
import { loadRow, readRow } from '../../database/model/read.js';
import { dispatchTriggered } from '../../database/outbox.js';
import { changeMembership, lockMembership } from '../../organizations/changeMembership.js';
import { organizationsErrors } from '../../organizations/errors.js';
import { requireActiveChapter } from '../../organizations/chapters.js';
import { readMembershipState } from '../../organizations/lifecycle/history.js';
import type { Authority } from '../../organizations/lifecycle/transitions.js';
import { Crossing } from '../crossings/Crossing.js';
import { withdrawNames } from '../name-assignments/withdrawNames.js';
import { lockActivePeriod } from '../recruitment-periods/lockActivePeriod.js';
import type { PnmStage } from '../vocabulary.js';
import { crossingDay } from './crossingDay.js';
import { PnmProfile } from './PnmProfile.js';
import { requireReady, type Waiver } from './readiness.js';
import { mailApproval } from './mailApproval.js';
import { hasLeftIntake, requireMove } from './stages.js';

export interface StageMove extends Waiver {
  to: PnmStage;
  /** Whether an approval is mailed to the person. */
  notifyApplicant?: boolean | undefined;
  /** Version of the profile that the editor saw. */
  version?: number | undefined;
  /**
   * This field and the next ones apply only when the person becomes a member (a crossing). Defaults: now, undergrad,
   * and the current line number.
   */
  crossedAt?: string | undefined;
  membershipStatus?: 'undergrad' | 'associate' | undefined;
  lineNumber?: number | undefined;
}

/**
 * Locks the membership and then its intake profile, in the order that all code uses.
 * @throws Refusal not_found
 */
export async function lockProspect(id: string) {
  const { membership_id } = await loadRow(PnmProfile, id);
  const membership = await lockMembership(membership_id);
  return { membership, profile: await lockForEdit(PnmProfile, id) };
}

/**
 * Requires for a return to the intake that the recruitment period is active and the membership is still inactive.
 * @throws Refusal transition_not_allowed
 */
async function requireReopenable({ membership, profile }: Awaited<ReturnType<typeof lockProspect>>): Promise<void> {
  const { status } = membership;
  const { recruitment_period_id } = profile;
  if (status !== 'inactive')
    throw organizationsErrors.transition_not_allowed(
      `This person can return to the intake only while the membership is inactive. It is ${status}.`,
    );
  if (recruitment_period_id !== null && !(await lockActivePeriod(recruitment_period_id)))
    throw organizationsErrors.transition_not_allowed(
      'This is not possible, because the recruitment period of this prospective member is closed. Reopen the period first.',
    );
}

/**
 * Moves a locked prospective member to another stage. The membership follows: it becomes inactive when the person
 * leaves the intake, prospective (pnm) when they return, and full when they complete the intake. On completion a
 * trigger inserts the crossing (the change to member) and starts its process once.
 * @throws Refusal stale_version, already_crossed, transition_not_allowed, forbidden, validation_error,
 * chapter_not_active, intake_not_ready
 */
export async function moveProspect(
  { membership, profile }: Awaited<ReturnType<typeof lockProspect>>,
  { to, reason, version, waive, notifyApplicant, ...crossing }: StageMove,
  authority: Authority,
): Promise<void> {
  const from = profile.stage;
  requireMove(from, to, authority, reason);
  if (to === 'completed') return crossProspect({ membership, profile }, { reason, version, ...crossing });
  if (!hasLeftIntake(to)) await requireActiveChapter(membership.chapter_id);
  if (to === 'approved') await requireReady(profile.id, { waive, reason });
  if (to === 'not_started') await requireReopenable({ membership, profile });
  await editRow(profile, {
    stage: to,
    stage_reason: hasLeftIntake(to) ? (reason ?? null) : null,
    closed_from: null,
    version,
  });
  if (hasLeftIntake(to)) await withdrawNames(profile.id);
  if (to === 'approved' && notifyApplicant) await mailApproval(membership.id);
  const status = hasLeftIntake(to) ? 'inactive' : 'pnm';
  if (membership.status !== status)
    await changeMembership(membership, { status }, { authority: null, source: 'intake', reason });
}

/**
 * Makes a locked prospective member a member. A trigger inserts the crossing (the record of this change) and starts the
 * crossing's process once.
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
  const { since, today } = await readMembershipState(membership.id);
  const effectiveOn = day < since ? since : day > today ? today : day;
  await editRow(profile, { stage: 'completed', stage_reason: null, crossed_at, version });
  await changeMembership(
    membership,
    { status, line_number },
    { authority: null, source: 'crossing', reason, effectiveOn },
  );
  const { workflow_id } = await readRow(Crossing, { membership_id: membership.id, reverted_at: null });
  await dispatchTriggered([workflow_id]);
}
