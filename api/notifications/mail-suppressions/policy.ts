import { nationalAdmin, policy } from '../../http/policy.js';

export const mailSuppressionPolicy = policy('mail suppressions', { read: [nationalAdmin], write: [nationalAdmin] });
