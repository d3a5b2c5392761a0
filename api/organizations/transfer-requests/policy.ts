import { nationalAdmin, officerOfChapter, policy, regionalAdminOfChapter, self } from '../../http/policy.js';

export const transferRequestPolicy = policy('transfer request', {
  /** In either of the two chapters. */
  read: [nationalAdmin, regionalAdminOfChapter, officerOfChapter, self],
  file: [officerOfChapter, self],
  withdraw: [self],
  /** In the destination chapter. */
  review_destination: [officerOfChapter],
  review_organization: [nationalAdmin],
});
