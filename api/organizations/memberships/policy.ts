import {
  memberOfChapter,
  nationalAdmin,
  officerOfChapter,
  policy,
  regionalAdminOfChapter,
  self,
} from '../../http/policy.js';

const MANAGERS = [nationalAdmin, regionalAdminOfChapter, officerOfChapter];

export const membershipPolicy = policy('membership', {
  read: [...MANAGERS, memberOfChapter, self],
  /** Read the address and telephone number. */
  read_contact: [...MANAGERS, self],
  /** Read earlier statuses and roles, with the actor and reason of each change. */
  read_history: [...MANAGERS, self],
  add: MANAGERS,
  update: MANAGERS,
  /**
   * Change trusted roles, change the status of members who hold them, and make transitions that the table reserves for
   * regional admins.
   */
  govern: [nationalAdmin, regionalAdminOfChapter],
  /** Make transitions that the table reserves for admins of the organization, and transfers. */
  decide: [nationalAdmin],
});
