import { anyone, nationalAdmin, policy } from '../../http/policy.js';

export const recruitmentPeriodPolicy = policy('recruitment period', {
  read: [anyone],
  read_statistics: [nationalAdmin],
  write: [nationalAdmin],
});
