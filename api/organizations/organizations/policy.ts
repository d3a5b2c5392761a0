import { anyone, nationalAdmin, platformAdmin, policy } from '../../http/policy.js';

export const organizationPolicy = policy('organization', {
  read: [anyone],
  update: [nationalAdmin],
  /** Change the slug, which is part of URLs, and whether the organization is active. */
  govern: [platformAdmin],
});
