import { refuse } from '../../models/errors.js';
import type { Person } from '../../models/identity/Actor.js';
import { confinementErrors } from '../../models/identity/confinement.js';
import { identityErrors } from '../../models/identity/errors.js';
import { impersonationErrors } from '../../models/identity/impersonation/errors.js';
import type { TokenClaims } from '../../models/identity/tokens.js';
import { authenticationErrors } from './authentication.js';
import { SAFE } from './input.js';
import type { Route } from './routes.js';

/** Paths that stay open while a password change is required. */
const OPEN_BEFORE_PASSWORD_CHANGE = /^\/api\/auth\/(me|logout|step-up|password\/change)\/$/;

/**
 * Checks whether this person may use the route now.
 * @throws Refusal if the person may not use it
 */
export function admit(route: Route, actor: Person): void {
  const { access } = route.spec;
  if (actor.facts.impersonation) requireVisible(route);
  if (access === 'platform' && !actor.isPlatformAdmin) throw refuse.forbidden();
  if (actor.facts.must_change_password && !OPEN_BEFORE_PASSWORD_CHANGE.test(route.path)) {
    throw authenticationErrors.password_change_required();
  }
  requireRecentProof(route.spec.stepUp, actor);
  if (actor.facts.auth.is_confined && isProviderSession(actor) && isClosedToConfined(route)) {
    throw confinementErrors.session_confined();
  }
  if (access !== 'tenant') return;
  if (actor.facts.organization_id === null) {
    throw actor.isPlatformAdmin ? refuse.organization_required() : identityErrors.membership_ended();
  }
  if (!actor.hasAccess) throw identityErrors.membership_ended();
}

/**
 * Checks whether a public route may be used with the token that came along, if any. The session of the token is not
 * verified, because its signature alone says that it impersonates.
 * @throws Refusal impersonation_area_closed
 */
export function admitAnonymous({ spec }: Route, claims: TokenClaims | null): void {
  if (claims?.imp_sid !== undefined && spec.impersonation === 'closed')
    throw impersonationErrors.impersonation_area_closed();
}

/**
 * Requires a recent authentication (step-up). Some handlers call this themselves, because only the body of the request
 * shows whether a step-up is needed.
 * @throws Refusal step_up_required
 */
export function requireRecentProof(stepUp: Route['spec']['stepUp'], actor: Person): void {
  if (!stepUp) return;
  if (actor.facts.auth.is_recent && !(stepUp === 'credentials' && isProviderSession(actor))) return;
  throw authenticationErrors.step_up_required(
    stepUp === 'credentials' ? 'Authenticate again (step-up) with your password or a passkey.' : undefined,
  );
}

/**
 * Whether the session was authenticated by an organization's identity provider, not by a credential of the account.
 */
const isProviderSession = ({ facts: { auth } }: Person): boolean => auth.method === 'saml' || auth.method === 'oauth';

/** Paths of a person's own account; routes added there are covered as well. */
const ACCOUNT_AREA = /^\/api\/(auth|socialnet)\//;

/** Paths of the foundation. They are closed to impersonating admins, who have no business with its donors. */
const FOUNDATION_AREA = /^\/api\/foundation\//;

/** Whether an impersonating session may not even read here (spec: Impersonation, rule 5). */
export const isClosedToImpersonation = ({ path, spec }: Pick<Route, 'path' | 'spec'>): boolean =>
  (spec.impersonation ?? (ACCOUNT_AREA.test(path) || FOUNDATION_AREA.test(path) ? 'closed' : 'readable')) === 'closed';

/**
 * Whether the route must declare a policy rule. Routes with `account` access in the account area need none, because
 * people use them only for their own account. Platform routes need none, because `access` already requires a platform
 * admin.
 */
export const needsRule = ({ path, spec }: Pick<Route, 'path' | 'spec'>): boolean =>
  spec.access === 'tenant' || (spec.access === 'account' && !ACCOUNT_AREA.test(path));

/**
 * Whether the route is closed to sessions that are confined to one organization. Routes of the account area are closed
 * unless they are marked as open, because an account may belong to several organizations.
 */
export const isClosedToConfined = ({ path, spec }: Pick<Route, 'path' | 'spec'>): boolean =>
  spec.confined === 'closed' || (ACCOUNT_AREA.test(path) && spec.confined !== 'open');

/**
 * Refuses a route that an impersonating session may not use.
 * @throws Refusal impersonation_area_closed, impersonation_read_only
 */
function requireVisible(route: Route): void {
  if (isClosedToImpersonation(route)) throw impersonationErrors.impersonation_area_closed();
  const reads = SAFE.has(route.method.toUpperCase()) && !route.spec.writes;
  if (!reads) throw impersonationErrors.impersonation_read_only();
}
