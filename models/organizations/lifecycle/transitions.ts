/** Table of the status transitions of a membership, and the authority that each needs. */
import { invalid, refuse } from '../../errors.js';
import { organizationsErrors } from '../errors.js';
import {
  ALUMNI_STATUSES,
  isTrusted,
  MEMBERSHIP_STATUSES,
  STUDENT_STATUSES,
  type MembershipRole,
  type MembershipStatus,
} from '../vocabulary.js';

/** Authority levels in ascending order; each includes those before it. */
export const AUTHORITY_LEVELS = ['officer', 'region', 'organization'] as const;
export type Authority = (typeof AUTHORITY_LEVELS)[number];

const NAMES: Record<Authority, string> = {
  officer: 'officers of the chapter and admins',
  region: 'admins of the region or organization',
  organization: 'admins of the organization',
};

interface Transition {
  from: readonly MembershipStatus[];
  /**
   * The statuses to which the transition leads: a list, or with `before`, the previous status of the membership.
   * `otherwise` is used if there was no previous status.
   */
  to: readonly MembershipStatus[] | { before: true; otherwise?: MembershipStatus };
  by: Authority;
  /** Whether the change needs a reason. */
  reason?: true;
  /** Whether the transition corrects a mistake. */
  isCorrection?: true;
}

/** Statuses that can be corrected. Disaffiliation is not among them: only the organization can decide and revoke it. */
const CORRECTABLE = [...STUDENT_STATUSES, ...ALUMNI_STATUSES, 'inactive'] as const;

/** Table of the allowed transitions. If several match a change, the first one counts. */
const TRANSITIONS: readonly Transition[] = [
  // A prospective member becomes a member, or is rejected (inactive).
  { from: ['pnm'], to: [...STUDENT_STATUSES, 'inactive'], by: 'organization' },
  { from: STUDENT_STATUSES, to: [...STUDENT_STATUSES, 'alumni', 'inactive'], by: 'officer' },
  { from: [...STUDENT_STATUSES, ...ALUMNI_STATUSES], to: ALUMNI_STATUSES, by: 'region' },
  { from: ['inactive'], to: { before: true, otherwise: 'undergrad' }, by: 'officer' },
  { from: MEMBERSHIP_STATUSES, to: ['disaffiliated'], by: 'organization', reason: true },
  { from: ['disaffiliated'], to: { before: true }, by: 'organization', reason: true },
  { from: CORRECTABLE, to: CORRECTABLE, by: 'region', reason: true, isCorrection: true },
  { from: ['disaffiliated'], to: CORRECTABLE, by: 'organization', reason: true, isCorrection: true },
];

/** The status of a membership and its previous status, null if there was none. */
export interface MembershipState {
  status: MembershipStatus;
  before: MembershipStatus | null;
  /**
   * Whether the membership is inactive because the person was transferred to another chapter. In that case only the
   * organization can reactivate it.
   */
  isTransferred: boolean;
}

/** Reports whether an authority includes the required one. */
export const includesAuthority = (authority: Authority, required: Authority): boolean =>
  AUTHORITY_LEVELS.indexOf(required) <= AUTHORITY_LEVELS.indexOf(authority);

/**
 * Returns the minimum authority for a transition. Only the organization can make somebody a prospective member again,
 * or bring back a member who was transferred to another chapter.
 */
const requiredAuthority = (transition: Transition, state: MembershipState): Authority =>
  state.isTransferred || targets(transition, state).includes('pnm') ? 'organization' : transition.by;

function targets({ to }: Transition, { status, before }: MembershipState): MembershipStatus[] {
  if (Array.isArray(to)) return to.filter((target) => target !== status);
  const { otherwise } = to as { otherwise?: MembershipStatus };
  const target = before ?? otherwise;
  // Disaffiliation is never restored as a previous status. It always needs a new decision of the organization, with a
  // reason.
  return target === undefined || target === status || target === 'disaffiliated' ? [] : [target];
}

const transitionsTo = (state: MembershipState, to: MembershipStatus): Transition[] =>
  TRANSITIONS.filter((transition) => transition.from.includes(state.status) && targets(transition, state).includes(to));

/** Returns the statuses that a membership may change to under this authority, in the order of `MEMBERSHIP_STATUSES`. */
function allowedStatuses(state: MembershipState, authority: Authority): MembershipStatus[] {
  const allowed = TRANSITIONS.filter(
    (transition) =>
      transition.from.includes(state.status) && includesAuthority(authority, requiredAuthority(transition, state)),
  ).flatMap((transition) => targets(transition, state));
  return MEMBERSHIP_STATUSES.filter((status) => allowed.includes(status));
}

/** Reports whether the authority may make the change. It assumes that a reason is given if the change needs one. */
export const canTransition = (state: MembershipState, to: MembershipStatus, authority: Authority): boolean =>
  transitionsTo(state, to).some((transition) => includesAuthority(authority, requiredAuthority(transition, state)));

/**
 * Requires more than an officer's authority for trusted roles. Officers manage members only: they cannot appoint or
 * demote officers, including themselves.
 * @param roles the present and the new role
 * @throws Refusal forbidden
 */
export function requireRoleAuthority(authority: Authority, roles: readonly MembershipRole[]): void {
  if (!includesAuthority(authority, 'region') && roles.some(isTrusted))
    throw refuse.forbidden(`Only ${NAMES.region} may appoint or change an officer, president or advisor.`);
}

/**
 * Checks a change against the table of transitions.
 * @returns whether it is a correction
 * @throws Refusal transition_not_allowed if no authority may make it; forbidden if only a higher authority may;
 * validation_error if a required reason is missing
 */
export function requireTransition(
  state: MembershipState,
  to: MembershipStatus,
  authority: Authority,
  reason: string | null,
): { isCorrection: boolean } {
  const possible = transitionsTo(state, to);
  if (possible.length === 0)
    throw organizationsErrors.transition_not_allowed(
      `This membership cannot change to ${to}. ${describeAllowed(state, authority)}`,
    );
  const allowed = possible.filter((transition) => includesAuthority(authority, requiredAuthority(transition, state)));
  const [first] = allowed;
  if (!first)
    throw refuse.forbidden(
      `Only ${NAMES[requiredAuthority(possible[0] as Transition, state)]} may make this change. ${describeAllowed(state, authority)}`,
    );
  const chosen = allowed.find((transition) => !transition.reason) ?? first;
  if (chosen.reason && reason === null) throw invalid('reason', 'This change needs a reason.');
  return { isCorrection: chosen.isCorrection === true };
}

function describeAllowed(state: MembershipState, authority: Authority): string {
  const allowed = allowedStatuses(state, authority);
  const where = `This membership is ${state.status}`;
  return allowed.length === 0
    ? `${where}. You may not change its status.`
    : `${where}. You may change its status to: ${allowed.join(', ')}.`;
}
