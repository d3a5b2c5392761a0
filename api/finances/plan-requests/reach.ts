import { found, refuse } from '../../../models/errors.js';
import { readDuesSettings } from '../../../models/finances/dues-settings/duesSettings.js';
import { readPlanRequest } from '../../../models/finances/payment-plans/listPlanRequests.js';
import type { Actor } from '../../../models/identity/Actor.js';
import { may } from '../../http/policy.js';
import { planRequestPolicy } from './policy.js';

/** Regional admins decide where the organization lets them. @throws Refusal forbidden */
export async function requireReviewer(actor: Actor): Promise<void> {
  if (!actor.isNationalAdmin && !(await readDuesSettings()).plan_regional_approval) throw refuse.forbidden();
}

/** A request within reach; out of reach is the same as not there. */
export async function reach(actor: Actor, id: string) {
  const row = found(await readPlanRequest(id));
  if (!may(actor, planRequestPolicy, 'review', { chapter_id: row.chapter })) throw refuse.not_found();
  await requireReviewer(actor);
  return row;
}
