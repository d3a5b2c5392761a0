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
  /** Address and telephone number. */
  read_contact: [...MANAGERS, self],
  /** What it was, with who changed it and why. */
  read_history: [...MANAGERS, self],
  add: MANAGERS,
  update: MANAGERS,
  /** Roles of trust, the status of those who hold them, and what the table of transitions has for admins of the region. */
  govern: [nationalAdmin, regionalAdminOfChapter],
  /** What it has for admins of the organization, and transfers. */
  decide: [nationalAdmin],
});
