import { nationalAdmin, policy } from '../../http/policy.js';

export const accountRequestPolicy = policy('account request', { read: [nationalAdmin], review: [nationalAdmin] });
