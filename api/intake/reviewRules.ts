import { requireOtherPerson } from '../../models/organizations/requests/decide.js';
import { authorize } from '../http/policy.js';
import { defineReviewRules } from '../organizations/approvals/reviewRules.js';
import { nameAssignmentPolicy } from './name-assignments/routes.js';

defineReviewRules({
  pnm_name: {
    authorizes: (actor) => (request) => {
      authorize(actor, nameAssignmentPolicy, 'review', { chapter_id: request.chapter });
      requireOtherPerson(request.requested_by, actor.userId);
    },
  },
});
