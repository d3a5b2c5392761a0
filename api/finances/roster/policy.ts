import { nationalAdmin, officerOfChapter, policy, regionalAdminOfChapter } from '../../http/policy.js';

export const collectionRosterPolicy = policy('collection roster', {
  read: [nationalAdmin, regionalAdminOfChapter, officerOfChapter],
  /** Whatever officers_see_amounts says. */
  always_see_amounts: [nationalAdmin, regionalAdminOfChapter],
});
