import {
  chapterManagers,
  memberOfChapter,
  nationalAdmin,
  policy,
  regionalAdminOfChapter,
  self,
} from '../../http/policy.js';

export const membershipPolicy = policy('membership', {
  read: [...chapterManagers, memberOfChapter, self],
  /** Read the address and telephone number. */
  read_contact: [...chapterManagers, self],
  /** Read earlier statuses and roles, with the actor and reason of each change. */
  read_history: [...chapterManagers, self],
  add: chapterManagers,
  update: chapterManagers,
  /**
   * Change trusted roles, change the status of members who hold them, and make transitions that the table reserves for
   * regional admins.
   */
  govern: [nationalAdmin, regionalAdminOfChapter],
  /** Make transitions that the table reserves for admins of the organization, and transfers. */
  decide: [nationalAdmin],
});
