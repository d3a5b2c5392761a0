import { nationalAdmin, policy, regionalAdminOfChapter } from '../../http/policy.js';

export const creditPolicy = policy('credit', {
  read: [nationalAdmin, regionalAdminOfChapter],
  list_shortfalls: [nationalAdmin],
  refund: [nationalAdmin],
});
