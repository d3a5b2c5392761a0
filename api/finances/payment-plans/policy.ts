import { nationalAdmin, officerOfChapter, policy, regionalAdminOfChapter, self } from '../../http/policy.js';

/** Officers reconcile installments of their chapter's plans, but not of their own. */
export const paymentPlanPolicy = policy('payment plan', {
  list: [nationalAdmin],
  cancel: [nationalAdmin],
  reconcile: [nationalAdmin, officerOfChapter],
  read: [nationalAdmin, regionalAdminOfChapter, officerOfChapter, self],
  own: [self],
});
