import { nationalAdmin, policy } from '../../http/policy.js';

export const reconciliationPolicy = policy('reconciliation', { read: [nationalAdmin] });
