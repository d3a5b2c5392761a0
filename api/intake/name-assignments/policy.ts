import { nationalAdmin, officerOfChapter, policy, regionalAdminOfChapter, self } from '../../http/policy.js';

const MANAGERS = [nationalAdmin, regionalAdminOfChapter, officerOfChapter];

export const nameAssignmentPolicy = policy('name assignment', {
  read: MANAGERS,
  propose: MANAGERS,
  withdraw: [self],
  /** Only the admins of the organization decide. */
  review: [nationalAdmin],
});
