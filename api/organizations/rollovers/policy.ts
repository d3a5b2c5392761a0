import { nationalAdmin, policy } from '../../http/policy.js';

export const rolloverPolicy = policy('rollover', { read: [nationalAdmin], write: [nationalAdmin] });
