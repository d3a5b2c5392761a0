import { nationalAdmin, officerOfChapter, policy, regionalAdminOfChapter, self } from '../../http/policy.js';

export const transferRequestPolicy = policy('transfer request', {
  /** In either chapter. */
  read: [nationalAdmin, regionalAdminOfChapter, officerOfChapter, self],
  file: [officerOfChapter, self],
  withdraw: [self],
  /** In the chapter that is to take them in. */
  review_destination: [officerOfChapter],
  review_organization: [nationalAdmin],
});
