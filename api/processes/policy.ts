import { nationalAdmin, policy } from '../http/policy.js';

/** The processes of the own organization. Platform admins reach all; an organization's header narrows it to one. */
export const processPolicy = policy('process', {
  read: [nationalAdmin],
  retry: [nationalAdmin],
  cancel: [nationalAdmin],
});
