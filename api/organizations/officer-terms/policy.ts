import { memberOfChapter, nationalAdmin, officerOfChapter, policy, regionalAdminOfChapter } from '../../http/policy.js';

const ADMINS = [nationalAdmin, regionalAdminOfChapter];

export const officerTermPolicy = policy('officer term', {
  read: [...ADMINS, officerOfChapter, memberOfChapter],
  write: ADMINS,
  /** Request a hand-over, when the actor may not perform it directly. */
  ask_to_hand_over: [officerOfChapter],
  /** Read the succession, including work that is pending for the successor. */
  read_succession: [...ADMINS, officerOfChapter],
});
