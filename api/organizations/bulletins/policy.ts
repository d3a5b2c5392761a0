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
  /** Published bulletins that are addressed to the actor. */
  read: [anyone],
  /** Bulletins that the actor may write, in any state. */
  list: [nationalAdmin, anyRegionalAdmin, anyOfficer],
  write: [nationalAdmin, regionalAdminOfRegion, regionalAdminOfChapter, officerOfChapter],
});
