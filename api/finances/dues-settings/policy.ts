import { anyOfficer, anyRegionalAdmin, nationalAdmin, policy } from '../../http/policy.js';

export const duesSettingsPolicy = policy('dues settings', {
  read: [nationalAdmin, anyRegionalAdmin, anyOfficer],
  write: [nationalAdmin],
});
