import type { Actor } from '../../models/identity/Actor.js';
import { verifiedAddresses } from '../../models/identity/emails/addresses.js';
import { requireOtherAddress } from '../../models/organizations/account-requests/reviewAccountRequest.js';
import type { Approval } from '../../models/organizations/readApprovals.js';
import { requireOtherPerson } from '../../models/organizations/requests/decide.js';
import { authorize } from '../http/policy.js';
import { accountRequestPolicy } from './account-requests/routes.js';
import { handOverRequestPolicy } from './hand-over-requests/routes.js';
import { authorizeMemberAddReview } from './member-add-requests/routes.js';
import { authorizeStatusChangeReview } from './status-change-requests/routes.js';
import { authorizeTransferReview } from './transfer-requests/routes.js';
import { defineReviewRules, tierFacts } from './approvals/reviewRules.js';

function authorizesAccountReviews(actor: Actor) {
  let addresses: Promise<string[]> | undefined;
  return async ({ email }: Approval): Promise<void> => {
    authorize(actor, accountRequestPolicy, 'review');
    addresses ??= verifiedAddresses(actor.userId);
    requireOtherAddress(email, await addresses);
  };
}

defineReviewRules({
  account: { authorizes: authorizesAccountReviews },
  member_add: {
    authorizes: (actor) => (request) => authorizeMemberAddReview(actor, tierFacts(actor, request, 'regional')),
  },
  status_change: {
    authorizes: (actor) => (request) => authorizeStatusChangeReview(actor, tierFacts(actor, request, 'officer')),
  },
  transfer: {
    authorizes: (actor) => (request) =>
      authorizeTransferReview(actor, {
        ...tierFacts(actor, request, 'destination'),
        isAboutActor: request.membership_id !== null && actor.membershipIds.includes(request.membership_id),
      }),
  },
  hand_over: {
    authorizes: (actor) => (request) => {
      authorize(actor, handOverRequestPolicy, 'review', { chapter_id: request.chapter });
      requireOtherPerson(request.requested_by, actor.userId);
    },
  },
});
