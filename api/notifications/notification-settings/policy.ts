import { nationalAdmin, policy } from '../../http/policy.js';

export const notificationSettingsPolicy = policy('notification settings', {
  read: [nationalAdmin],
  write: [nationalAdmin],
});
