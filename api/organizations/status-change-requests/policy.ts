import { chapterManagers, nationalAdmin, officerOfChapter, policy, self } from '../../http/policy.js';

export const statusChangeRequestPolicy = policy('status change request', {
  read: [...chapterManagers, self],
  file: [self],
  withdraw: [self],
  review_officer: [officerOfChapter],
  review_organization: [nationalAdmin],
});
