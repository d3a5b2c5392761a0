import {
  anyOfficer,
  nationalAdmin,
  officerOfChapter,
  policy,
  regionalAdminOfChapter,
  self,
} from '../../http/policy.js';

/**
 * Rights to file and to decide requests for installment plans. Regional admins decide only if their organization allows
 * it.
 */
export const planRequestPolicy = policy('plan request', {
  review: [nationalAdmin, regionalAdminOfChapter],
  read_bulk: [nationalAdmin, self],
  ask_for_anybody: [nationalAdmin],
  ask_for_member: [officerOfChapter],
  list_asked: [anyOfficer],
  own: [self],
});
