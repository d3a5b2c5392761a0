import { handOverOrPlan } from '../officer-terms/handOver.js';
import { closeRequest, type Review } from '../requests/decide.js';
import type { HandOverRequest } from './HandOverRequest.js';
import { handOverRequests } from './kind.js';

/**
 * Decides a locked request. An approval hands the office over as if an admin did it, at once or on the planned day. If
 * the hand-over itself is refused, the whole call is refused, and the request stays pending.
 * @throws Refusal as `handOverOrPlan`
 */
export async function reviewHandOverRequest(request: HandOverRequest, userId: string, review: Review): Promise<void> {
  if (review.decision === 'approve') {
    const { term_id, successor_id: successor, effective_on, ends_on: endsOn } = request;
    await handOverOrPlan(term_id, { successor, effectiveOn: effective_on ?? undefined, endsOn });
  }
  await closeRequest(handOverRequests, request, review, { userId });
}
