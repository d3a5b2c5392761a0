import { nationalAdmin, officerOfChapter, policy, regionalAdminOfChapter } from '../../http/policy.js';

export const collectionRosterPolicy = policy('collection roster', {
  read: [nationalAdmin, regionalAdminOfChapter, officerOfChapter],
});
