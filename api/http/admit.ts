import { refuse } from '../../models/errors.js';
import type { Actor } from '../../models/identity/Actor.js';
import { identityErrors } from '../../models/identity/errors.js';
import { authenticationErrors } from './authentication.js';
import type { Route } from './routes.js';

/** Where people with a password to change may still go. */
const OPEN_BEFORE_PASSWORD_CHANGE = /^\/api\/auth\/(me|logout|password\/change)\/$/;

/** @throws Refusal when this person may not use routes of this kind now */
export function admit(route: Route, actor: Actor): void {
  const { access } = route.spec;
  if (access === 'platform' && !actor.isPlatformAdmin) throw refuse.forbidden();
  if (actor.facts.must_change_password && !OPEN_BEFORE_PASSWORD_CHANGE.test(route.path)) {
    throw authenticationErrors.password_change_required();
  }
  if (access !== 'tenant') return;
  if (actor.facts.organization_id === null) {
    throw actor.isPlatformAdmin ? refuse.organization_required() : identityErrors.membership_ended();
  }
  if (!actor.stands) throw identityErrors.membership_ended();
}
