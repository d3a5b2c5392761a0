import { nationalAdmin, policy } from '../../http/policy.js';

export const storageConfigPolicy = policy('storage configuration', {
  read: [nationalAdmin],
  write: [nationalAdmin],
  test: [nationalAdmin],
});
