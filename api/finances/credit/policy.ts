import { nationalAdmin, policy, regionalAdminOfChapter, self } from '../../http/policy.js';

export const creditPolicy = policy('credit', {
  read: [nationalAdmin, regionalAdminOfChapter],
  /** Members see where their own credit comes from. */
  explain: [nationalAdmin, regionalAdminOfChapter, self],
  list_shortfalls: [nationalAdmin],
  refund: [nationalAdmin],
});
