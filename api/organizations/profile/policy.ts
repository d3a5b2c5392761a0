import { anyone, nationalAdmin, policy, self } from '../../http/policy.js';

export const memberProfilePolicy = policy('member profile', {
  /** Any member of the organization (spec: member demographics are kept apart, for they are not for everybody). */
  read: [anyone],
  write: [nationalAdmin, self],
});
