import { refuse } from '../../models/errors.js';
import type { Person } from '../../models/identity/Actor.js';
import { identityErrors } from '../../models/identity/errors.js';
import type { Route } from './routes.js';

/**
 * Asked before every handler: the organization that a tenant's address names is the tenant, or is not there.
 * @throws Refusal not_found
 */
export function organizationInPath({ spec }: Route, actor: Person, params: unknown): void {
  const { organization_id: named } = (params ?? {}) as { organization_id?: string };
  if (spec.access === 'tenant' && named !== undefined) requireOwn(actor, named);
}

/** @throws Refusal not_found */
function requireOwn(actor: Person, id: string): void {
  if (id.toLowerCase() !== actor.organizationId) throw refuse.not_found();
}

/**
 * The same for addresses that platform admins may use without naming a tenant.
 * @throws Refusal not_found, membership_ended
 */
export function organizationInReach(actor: Person, id: string): void {
  if (actor.isPlatformAdmin) return;
  if (!actor.stands) throw identityErrors.membership_ended();
  requireOwn(actor, id);
}
