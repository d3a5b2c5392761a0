import { memberOfChapter, nationalAdmin, officerOfChapter, policy, regionalAdminOfChapter } from '../../http/policy.js';

const ADMINS = [nationalAdmin, regionalAdminOfChapter];

export const officerTermPolicy = policy('officer term', {
  read: [...ADMINS, officerOfChapter, memberOfChapter],
  write: ADMINS,
  /** With what waits for whoever follows. */
  read_succession: [...ADMINS, officerOfChapter],
});
