import { anyOfficer, nationalAdmin, policy, self } from '../../http/policy.js';

/** Officers only list the requests that they have filed. */
export const refundRequestPolicy = policy('refund request', {
  list: [nationalAdmin, anyOfficer],
  read: [nationalAdmin, self],
  withdraw: [self],
  review: [nationalAdmin],
});
