import type { ShownPlanRequest } from '../../../models/finances/payment-plans/listPlanRequests.js';
import type { Actor } from '../../../models/identity/Actor.js';
import { seesAmounts, withoutAmounts } from '../amounts.js';

/** A request for its reader. The officer who filed it reads their own justification, whatever else is hidden. */
export function presentPlanRequest(actor: Actor, row: ShownPlanRequest, officersSee: boolean): ShownPlanRequest {
  const { chapter, member, requester, justification } = row;
  if (seesAmounts(actor, { chapter_id: chapter, membership_id: member.membership }, officersSee)) return row;
  return withoutAmounts(row, requester.id === actor.userId ? { justification } : {});
}
