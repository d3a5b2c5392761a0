import { nationalAdmin, officerOfChapter, policy, regionalAdminOfChapter, self } from '../../http/policy.js';

/** Officers tick rows of their chapter's plans, never of their own. */
export const paymentPlanPolicy = policy('payment plan', {
  list: [nationalAdmin],
  cancel: [nationalAdmin],
  reconcile: [nationalAdmin, officerOfChapter],
  read: [nationalAdmin, regionalAdminOfChapter, officerOfChapter, self],
  own: [self],
});
