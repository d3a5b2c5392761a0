/** Where a prospective member may go from where, and by whose hand: the table, and what is read from it. */
import { invalid, refuse } from '../../errors.js';
import { organizationsErrors } from '../../organizations/errors.js';
import { type Hand, within } from '../../organizations/lifecycle/transitions.js';
import { intakeErrors } from '../errors.js';
import type { PnmStage } from '../vocabulary.js';

interface Move {
  from: readonly PnmStage[];
  to: PnmStage;
  by: Hand;
  /** It has to say why. */
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

/** Stages in which the intake is over, and the person no member. */
export const isOut = (stage: PnmStage): boolean => stage === 'rejected' || stage === 'withdrawn';

/** @throws Refusal already_crossed, transition_not_allowed where nobody may; forbidden where others may; validation_error without the reason that it needs */
export function requireMove(from: PnmStage, to: PnmStage, hand: Hand, reason: string | undefined): void {
  if (from === 'completed') throw intakeErrors.already_crossed();
  const move = MOVES.find((one) => one.to === to && one.from.includes(from));
  if (!move) {
    const allowed = MOVES.filter((one) => one.from.includes(from) && within(hand, one.by)).map((one) => one.to);
    const where = `This prospective member is ${from}, and may become: ${allowed.join(', ') || 'nothing by your hand'}.`;
    throw organizationsErrors.transition_not_allowed(where);
  }
  if (!within(hand, move.by)) throw refuse.forbidden('This is for admins of the organization.');
  if (move.reason && reason === undefined) throw invalid('reason', 'Say why.');
}
