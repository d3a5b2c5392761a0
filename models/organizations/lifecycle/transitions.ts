/** Which status a membership may go to from which, and by whose hand: the table, and what is read from it. */
import { invalid, refuse } from '../../errors.js';
import { organizationsErrors } from '../errors.js';
import { isTrusted, MEMBERSHIP_STATUSES, type MembershipRole, type MembershipStatus } from '../vocabulary.js';

/** By whose right somebody acts, in ascending order: each may do what those before it may. */
export const HANDS = ['officer', 'region', 'organization'] as const;
export type Hand = (typeof HANDS)[number];

const NAMES: Record<Hand, string> = {
  officer: 'officers of the chapter and admins',
  region: 'admins of the region or organization',
  organization: 'admins of the organization',
};

interface Transition {
  from: readonly MembershipStatus[];
  /** before: the status before the present one; otherwise, where there was none. */
  to: readonly MembershipStatus[] | { before: true; otherwise?: MembershipStatus };
  by: Hand;
  /** It has to say why. */
  reason?: true;
  /** Takes back what was a mistake. */
  isCorrection?: true;
}

const ACTIVE = ['undergrad', 'associate'] as const;
const ALUMNI = ['alumni', 'active_alumni', 'lifetime_alumni'] as const;
/** Disaffiliation is the organization's word, and the organization's alone to take back. */
const CORRECTED = [...ACTIVE, ...ALUMNI, 'inactive'] as const;

/** The first that fits counts. */
const TRANSITIONS: readonly Transition[] = [
  // crossing, and rejection
  { from: ['pnm'], to: [...ACTIVE, 'inactive'], by: 'organization' },
  { from: ACTIVE, to: [...ACTIVE, 'alumni', 'inactive'], by: 'officer' },
  { from: [...ACTIVE, ...ALUMNI], to: ALUMNI, by: 'region' },
  { from: ['inactive'], to: { before: true, otherwise: 'undergrad' }, by: 'officer' },
  { from: MEMBERSHIP_STATUSES, to: ['disaffiliated'], by: 'organization', reason: true },
  { from: ['disaffiliated'], to: { before: true }, by: 'organization', reason: true },
  { from: CORRECTED, to: CORRECTED, by: 'region', reason: true, isCorrection: true },
  { from: ['disaffiliated'], to: CORRECTED, by: 'organization', reason: true, isCorrection: true },
];

/** Where a membership is, and where it was before; null when it was always there. */
export interface Standing {
  status: MembershipStatus;
  before: MembershipStatus | null;
  /** It is inactive because the person was transferred: another chapter has them, and this one does not take them back. */
  isTransferred: boolean;
}

/** Whether a hand may do what is for `by`. */
export const within = (hand: Hand, by: Hand): boolean => HANDS.indexOf(by) <= HANDS.indexOf(hand);

/** Whose a transition is from where a membership stands. That somebody of the intake is out is for the organization to take back. */
const ownerOf = (transition: Transition, standing: Standing): Hand =>
  standing.isTransferred || targets(transition, standing).includes('pnm') ? 'organization' : transition.by;

function targets({ to }: Transition, { status, before }: Standing): MembershipStatus[] {
  if (Array.isArray(to)) return to.filter((target) => target !== status);
  const { otherwise } = to as { otherwise?: MembershipStatus };
  const target = before ?? otherwise;
  // Disaffiliation is never what somebody just goes back to: it is said anew, by whoever may, and why.
  return target === undefined || target === status || target === 'disaffiliated' ? [] : [target];
}

const transitionsTo = (standing: Standing, to: MembershipStatus): Transition[] =>
  TRANSITIONS.filter(
    (transition) => transition.from.includes(standing.status) && targets(transition, standing).includes(to),
  );

/** What a membership may become by this hand, in the order of the vocabulary. */
function allowedStatuses(standing: Standing, hand: Hand): MembershipStatus[] {
  const allowed = TRANSITIONS.filter(
    (transition) => transition.from.includes(standing.status) && within(hand, ownerOf(transition, standing)),
  ).flatMap((transition) => targets(transition, standing));
  return MEMBERSHIP_STATUSES.filter((status) => allowed.includes(status));
}

/** Whether a hand may make the change, with a reason where it needs one. */
export const mayMove = (standing: Standing, to: MembershipStatus, hand: Hand): boolean =>
  transitionsTo(standing, to).some((transition) => within(hand, ownerOf(transition, standing)));

/**
 * Officers manage members, not one another, and appoint nobody: so nobody rises or falls by an officer's hand, the officer
 * included.
 * @param roles what somebody is, and is to become
 * @throws Refusal forbidden
 */
export function requireTrust(hand: Hand, roles: readonly MembershipRole[]): void {
  if (!within(hand, 'region') && roles.some(isTrusted))
    throw refuse.forbidden(`Who is officer, president or advisor is for ${NAMES.region} to say.`);
}

/**
 * Holds a change against the table.
 * @returns whether it is a correction
 * @throws Refusal transition_not_allowed where nobody may; forbidden where others may; validation_error without the reason that it needs
 */
export function requireTransition(
  standing: Standing,
  to: MembershipStatus,
  hand: Hand,
  reason: string | null,
): { isCorrection: boolean } {
  const possible = transitionsTo(standing, to);
  if (possible.length === 0)
    throw organizationsErrors.transition_not_allowed(`${saying(standing, hand)} It was to become ${to}.`);
  const own = possible.filter((transition) => within(hand, ownerOf(transition, standing)));
  const [first] = own;
  if (!first)
    throw refuse.forbidden(
      `This change is for ${NAMES[ownerOf(possible[0] as Transition, standing)]}. ${saying(standing, hand)}`,
    );
  const fits = own.find((transition) => !transition.reason) ?? first;
  if (fits.reason && reason === null) throw invalid('reason', 'Say why: this change needs a reason.');
  return { isCorrection: fits.isCorrection === true };
}

function saying(standing: Standing, hand: Hand): string {
  const allowed = allowedStatuses(standing, hand);
  const where = `This membership is ${standing.status}`;
  return allowed.length === 0
    ? `${where}, and stays so by your hand.`
    : `${where}, and may become: ${allowed.join(', ')}.`;
}
