import { nationalAdmin, policy } from '../http/policy.js';

/**
 * National admins reach the processes of their own organization. Platform admins reach all processes; the organization
 * header narrows them to one organization.
 */
export const processPolicy = policy('process', {
  read: [nationalAdmin],
  retry: [nationalAdmin],
  cancel: [nationalAdmin],
});
