import { nationalAdmin, officerOfChapter, policy, regionalAdminOfChapter, self } from '../../http/policy.js';

export const handOverRequestPolicy = policy('hand-over request', {
  read: [nationalAdmin, regionalAdminOfChapter, officerOfChapter],
  withdraw: [self],
  review: [nationalAdmin, regionalAdminOfChapter],
});
