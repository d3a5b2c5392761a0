import { anyRegionalAdmin, nationalAdmin, policy } from '../../http/policy.js';

export const regionalAdminPolicy = policy('regional admin', {
  read: [nationalAdmin, anyRegionalAdmin],
  write: [nationalAdmin],
});
