import {
  anyOfficer,
  anyone,
  anyRegionalAdmin,
  nationalAdmin,
  officerOfChapter,
  policy,
  regionalAdminOfChapter,
  regionalAdminOfRegion,
} from '../../http/policy.js';

export const bulletinPolicy = policy('bulletin', {
  /** What is out, and for them. */
  read: [anyone],
  /** Those that they may write, whatever their state. */
  list: [nationalAdmin, anyRegionalAdmin, anyOfficer],
  write: [nationalAdmin, regionalAdminOfRegion, regionalAdminOfChapter, officerOfChapter],
});
