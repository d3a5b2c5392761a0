import { invalid, refuse } from '../../../models/errors.js';
import type { Actor } from '../../../models/identity/Actor.js';

/**
 * Returns the requested membership, or the actor's only membership if none is requested.
 * @throws Refusal validation_error if the actor has several and must name one, not_found if the actor has none
 */
export function ownMembership({ membershipIds }: Actor, requested: string | undefined): string {
  if (requested !== undefined) return requested;
  if (membershipIds.length > 1) throw invalid('membership', 'You have several memberships. Name one of them.');
  const [only] = membershipIds;
  if (!only) throw refuse.not_found('You have no membership in this organization.');
  return only;
}
