import { refuse } from '../../models/errors.js';
import type { Actor } from '../../models/identity/Actor.js';

/** The organization in an address is the one that the request acts in; any other is as good as unknown. @throws Refusal not_found */
export function ownOrganization(actor: Actor, organizationId: string): void {
  if (actor.organizationId !== organizationId.toLowerCase()) throw refuse.not_found();
}
