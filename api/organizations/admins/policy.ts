import { nationalAdmin, policy } from '../../http/policy.js';

export const organizationAdminPolicy = policy('organization admin', { read: [nationalAdmin], write: [nationalAdmin] });
