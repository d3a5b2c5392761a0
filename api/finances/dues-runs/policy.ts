import { nationalAdmin, policy } from '../../http/policy.js';

export const duesRunPolicy = policy('dues run', { read: [nationalAdmin], write: [nationalAdmin] });
