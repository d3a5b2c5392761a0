import { organizationAdmin, policy } from '../../http/policy.js';

export const impersonationPolicy = policy('impersonation', { start: [organizationAdmin] });
