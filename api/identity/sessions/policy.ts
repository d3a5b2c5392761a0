import { nationalAdmin, policy } from '../../http/policy.js';

export const memberSessionPolicy = policy('member session', { read: [nationalAdmin], revoke: [nationalAdmin] });
