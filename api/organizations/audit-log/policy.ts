import { nationalAdmin, policy } from '../../http/policy.js';

export const auditLogPolicy = policy('audit log', { read: [nationalAdmin] });
