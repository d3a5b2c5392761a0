import { nationalAdmin, policy } from '../../http/policy.js';

export const duesRatePolicy = policy('dues rate', { read: [nationalAdmin], write: [nationalAdmin] });
