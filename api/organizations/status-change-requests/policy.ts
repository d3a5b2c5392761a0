import { nationalAdmin, officerOfChapter, policy, regionalAdminOfChapter, self } from '../../http/policy.js';

export const statusChangeRequestPolicy = policy('status change request', {
  read: [nationalAdmin, regionalAdminOfChapter, officerOfChapter, self],
  file: [self],
  withdraw: [self],
  review_officer: [officerOfChapter],
  review_organization: [nationalAdmin],
});
