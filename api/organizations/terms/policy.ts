import { anyone, nationalAdmin, policy } from '../../http/policy.js';

export const termPolicy = policy('term', { read: [anyone], write: [nationalAdmin] });
