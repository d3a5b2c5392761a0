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
  add: MANAGERS,
  update: MANAGERS,
  /** Roles of trust, the status of those who hold them, and the way back from a terminal status. */
  govern: [nationalAdmin, regionalAdminOfChapter],
});
