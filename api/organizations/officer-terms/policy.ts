import { memberOfChapter, nationalAdmin, officerOfChapter, policy, regionalAdminOfChapter } from '../../http/policy.js';

const ADMINS = [nationalAdmin, regionalAdminOfChapter];

export const officerTermPolicy = policy('officer term', {
  read: [...ADMINS, officerOfChapter, memberOfChapter],
  write: ADMINS,
  /** Where it is not one's own to do. */
  ask_to_hand_over: [officerOfChapter],
  /** With what waits for whoever follows. */
  read_succession: [...ADMINS, officerOfChapter],
});
