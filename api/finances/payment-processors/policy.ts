import { nationalAdmin, policy } from '../../http/policy.js';

export const processorPolicy = policy('payment processor', { read: [nationalAdmin], write: [nationalAdmin] });
