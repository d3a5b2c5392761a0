import { nationalAdmin, policy } from '../../http/policy.js';

export const samlConfigurationPolicy = policy('SAML configuration', {
  read: [nationalAdmin],
  write: [nationalAdmin],
  test: [nationalAdmin],
});
