import { nationalAdmin, policy } from '../../http/policy.js';

export const emailConfigPolicy = policy('email configuration', {
  read: [nationalAdmin],
  write: [nationalAdmin],
  test: [nationalAdmin],
});
