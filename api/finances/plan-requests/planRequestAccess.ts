import { requireFound, refuse } from '../../../models/errors.js';
import { readDuesSettings } from '../../../models/finances/dues-settings/duesSettings.js';
import { readPlanRequest, type ShownPlanRequest } from '../../../models/finances/payment-plans/listPlanRequests.js';
import type { Actor } from '../../../models/identity/Actor.js';
import { may } from '../../http/policy.js';
import { planRequestPolicy } from './policy.js';

/** Refuses regional admins unless their organization lets them decide. @throws Refusal forbidden */
export async function requireReviewer(actor: Actor): Promise<void> {
  if (!actor.isNationalAdmin && !(await readDuesSettings()).plan_regional_approval) throw refuse.forbidden();
}

/**
 * Reads a request for review.
 * @throws Refusal forbidden for those who may read the request but not review it; not_found for others
 */
export async function readForReview(actor: Actor, id: string) {
  const row = requireFound(await readPlanRequest(id));
  if (!may(actor, planRequestPolicy, 'review', { chapter_id: row.chapter }))
    throw mayRead(actor, row) ? refuse.forbidden() : refuse.not_found();
  await requireReviewer(actor);
  return row;
}

/** Members read requests for their own invoices; officers read those filed on behalf of members of a chapter that they lead now. */
export function mayRead(actor: Actor, { member, requester, chapter }: ShownPlanRequest): boolean {
  if (may(actor, planRequestPolicy, 'own', { membership_id: member.membership })) return true;
  return requester.id !== member.user && may(actor, planRequestPolicy, 'ask_for_member', { chapter_id: chapter });
}

/**
 * Reads a plan request that the actor may read.
 * @throws Refusal not_found for any other request
 */
export async function readOwnRequest(actor: Actor, id: string): Promise<ShownPlanRequest> {
  const row = requireFound(await readPlanRequest(id));
  if (!mayRead(actor, row)) throw refuse.not_found();
  return row;
}
