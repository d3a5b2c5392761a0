import { anyone, nationalAdmin, policy } from '../../http/policy.js';

export const regionPolicy = policy('region', { read: [anyone], write: [nationalAdmin] });
