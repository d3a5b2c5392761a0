import { nationalAdmin, officerOfChapter, policy, regionalAdminOfChapter } from '../../http/policy.js';

const MANAGERS = [nationalAdmin, regionalAdminOfChapter, officerOfChapter];

export const pnmPolicy = policy('prospective member', {
  read: MANAGERS,
  write: MANAGERS,
  /** What the stages have for admins of the organization, and taking a crossing back. */
  decide: [nationalAdmin],
});
