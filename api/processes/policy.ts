import { foundationAdmin, nationalAdmin, policy } from '../http/policy.js';

/**
 * National admins reach the processes of their own organization, and foundation admins those of their foundation.
 * Platform admins reach all processes; the organization header narrows them to one organization.
 */
export const processPolicy = policy('process', {
  read: [nationalAdmin, foundationAdmin],
  retry: [nationalAdmin, foundationAdmin],
  cancel: [nationalAdmin, foundationAdmin],
});
