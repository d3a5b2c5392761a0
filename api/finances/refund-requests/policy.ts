import { anyOfficer, nationalAdmin, policy, self } from '../../http/policy.js';

/** Officers list what they have asked for themselves. */
export const refundRequestPolicy = policy('refund request', {
  list: [nationalAdmin, anyOfficer],
  read: [nationalAdmin, self],
  withdraw: [self],
  review: [nationalAdmin],
});
