import { anyone, organizationAdmin, policy } from '../../http/policy.js';

export const memberSearchPolicy = policy('member search', {
  read: [anyone],
  /** Who starts impersonations may look for whom. */
  read_impersonable: [organizationAdmin],
});
