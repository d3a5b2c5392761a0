import { invalid, refuse } from '../../../models/errors.js';
import type { Actor } from '../../../models/identity/Actor.js';

/** The membership whose account is meant. @throws Refusal validation_error when it has to be named, not_found */
export function ownMembership({ membershipIds }: Actor, named: string | undefined): string {
  if (named !== undefined) return named;
  if (membershipIds.length > 1) throw invalid('membership', 'You have several memberships. Name one of them.');
  const [only] = membershipIds;
  if (!only) throw refuse.not_found('You are not a member here.');
  return only;
}
