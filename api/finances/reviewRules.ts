import type { Actor } from '../../models/identity/Actor.js';
import type { Approval } from '../../models/organizations/readApprovals.js';
import { requireOtherPerson } from '../../models/organizations/requests/decide.js';
import { authorize } from '../http/policy.js';
import { defineReviewRules } from '../organizations/approvals/reviewRules.js';
import { requireReviewer } from './plan-requests/planRequestAccess.js';
import { planRequestPolicy } from './plan-requests/policy.js';
import { refundRequestPolicy } from './refund-requests/routes.js';

function authorizesPlanReviews(actor: Actor) {
  let reviewer: Promise<void> | undefined;
  return async ({ chapter, requested_by }: Approval): Promise<void> => {
    authorize(actor, planRequestPolicy, 'review', { chapter_id: chapter });
    reviewer ??= requireReviewer(actor);
    await reviewer;
    // The view names the member whom the plan request is about.
    requireOtherPerson(requested_by, actor.userId);
  };
}

defineReviewRules({
  refund: {
    titleForOthers: 'Refund request',
    authorizes: (actor) => (request) => {
      authorize(actor, refundRequestPolicy, 'review');
      requireOtherPerson(request.requested_by, actor.userId);
    },
  },
  plan: { titleForOthers: 'Payment plan request', authorizes: authorizesPlanReviews },
});
