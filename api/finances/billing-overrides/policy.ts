import { nationalAdmin, policy } from '../../http/policy.js';

export const billingOverridePolicy = policy('billing override', { read: [nationalAdmin], write: [nationalAdmin] });
