import { nationalAdmin, officerOfChapter, policy, regionalAdminOfChapter } from '../../http/policy.js';

export const applicationConfigPolicy = policy('application form', {
  read: [nationalAdmin, regionalAdminOfChapter, officerOfChapter],
  configure: [nationalAdmin],
});
