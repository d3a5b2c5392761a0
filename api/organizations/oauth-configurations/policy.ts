import { nationalAdmin, policy } from '../../http/policy.js';

export const oauthConfigurationPolicy = policy('OAuth configuration', {
  read: [nationalAdmin],
  write: [nationalAdmin],
  test: [nationalAdmin],
});
