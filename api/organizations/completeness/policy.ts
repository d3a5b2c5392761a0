import { nationalAdmin, officerOfChapter, policy, regionalAdminOfChapter, self } from '../../http/policy.js';

const MANAGERS = [nationalAdmin, regionalAdminOfChapter, officerOfChapter];

export const completenessPolicy = policy('completeness', {
  read: [...MANAGERS, self],
  /** Completeness of all members of a chapter. */
  read_chapter: MANAGERS,
  configure: [nationalAdmin],
});
