import { anyone, nationalAdmin, policy } from '../../http/policy.js';

export const explainPolicy = policy('explanation of notifications', { read: [anyone], read_others: [nationalAdmin] });
