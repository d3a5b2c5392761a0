import { refuse } from '../../models/errors.js';
import type { Person } from '../../models/identity/Actor.js';
import { identityErrors } from '../../models/identity/errors.js';
import type { Route } from './routes.js';

/** Checks before every handler that the organization in the path is the tenant. */
export function organizationInPath({ spec }: Route, actor: Person, params: unknown): void {
  const { organization_id: named } = (params ?? {}) as { organization_id?: string };
  if (spec.access === 'tenant' && named !== undefined) requireOwn(actor, named);
}

/**
 * Requires that the organization is the actor's own.
 * @throws Refusal not_found
 */
function requireOwn(actor: Person, id: string): void {
  if (id.toLowerCase() !== actor.organizationId) throw refuse.not_found();
}

/** Checks the organization in the path of routes that platform admins may use without naming a tenant. */
export function organizationInReach(actor: Person, id: string): void {
  if (actor.isPlatformAdmin) return;
  if (!actor.hasAccess) throw identityErrors.membership_ended();
  requireOwn(actor, id);
}
