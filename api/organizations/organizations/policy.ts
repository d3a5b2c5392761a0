import { anyone, nationalAdmin, platformAdmin, policy } from '../../http/policy.js';

export const organizationPolicy = policy('organization', {
  read: [anyone],
  update: [nationalAdmin],
  /** Its slug, which is in addresses, and whether it is active. */
  govern: [platformAdmin],
});
