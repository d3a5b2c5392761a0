import { anyone, nationalAdmin, policy, self } from '../../http/policy.js';

export const memberProfilePolicy = policy('member profile', {
  /**
   * Any member of the organization may read profiles. Demographics are stored separately, because not everyone may read
   * them (spec).
   */
  read: [anyone],
  write: [nationalAdmin, self],
});
