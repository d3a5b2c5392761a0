/** Stage transitions of prospective members, and the authority that each requires. */
import { invalid, refuse } from '../../errors.js';
import { organizationsErrors } from '../../organizations/errors.js';
import { type Authority, includesAuthority } from '../../organizations/lifecycle/transitions.js';
import { intakeErrors } from '../errors.js';
import type { PnmStage } from '../vocabulary.js';

interface Move {
  from: readonly PnmStage[];
  to: PnmStage;
  by: Authority;
  /** Present if the move requires a reason. */
  reason?: true;
}

const OPEN = ['not_started', 'approved', 'in_progress'] as const;

const MOVES: readonly Move[] = [
  { from: ['not_started'], to: 'approved', by: 'officer' },
  { from: ['approved'], to: 'in_progress', by: 'officer' },
  { from: ['in_progress'], to: 'completed', by: 'officer' },
  { from: OPEN, to: 'rejected', by: 'officer', reason: true },
  { from: OPEN, to: 'withdrawn', by: 'officer', reason: true },
  { from: ['rejected', 'withdrawn'], to: 'not_started', by: 'organization' },
];

/** Whether the person has left the intake without becoming a member. */
export const hasLeftIntake = (stage: PnmStage): boolean => stage === 'rejected' || stage === 'withdrawn';

/**
 * Checks a stage transition.
 * @throws Refusal already_crossed; transition_not_allowed if the transition does not exist; forbidden if it needs a
 * higher authority; validation_error without a required reason
 */
export function requireMove(from: PnmStage, to: PnmStage, authority: Authority, reason: string | undefined): void {
  if (from === 'completed') throw intakeErrors.already_crossed();
  const move = MOVES.find((one) => one.to === to && one.from.includes(from));
  if (!move) {
    const allowed = MOVES.filter((one) => one.from.includes(from) && includesAuthority(authority, one.by)).map(
      (one) => one.to,
    );
    const detail = `This prospective member is ${from}. You may change the stage to: ${allowed.join(', ') || 'none'}.`;
    throw organizationsErrors.transition_not_allowed(detail);
  }
  if (!includesAuthority(authority, move.by))
    throw refuse.forbidden('Only admins of the organization may return a person to the intake.');
  if (move.reason && reason === undefined) throw invalid('reason', 'Give a reason.');
}
