import { nationalAdmin, policy } from '../../http/policy.js';

export const disputePolicy = policy('dispute', { read: [nationalAdmin] });
