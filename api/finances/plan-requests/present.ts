import type { ShownPlanRequest } from '../../../models/finances/payment-plans/listPlanRequests.js';
import type { Actor } from '../../../models/identity/Actor.js';
import { seesAmounts, withoutAmounts } from '../amounts.js';

/** Hides amounts where the reader sees none. The officer who filed the request still reads their own justification. */
export function presentPlanRequest(actor: Actor, row: ShownPlanRequest, officersSee: boolean): ShownPlanRequest {
  const { chapter, member, requester, justification } = row;
  if (seesAmounts(actor, { chapter_id: chapter, membership_id: member.membership }, officersSee)) return row;
  return withoutAmounts(row, requester.id === actor.userId ? { justification } : {});
}
