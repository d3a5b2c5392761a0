import { anyone, policy, self } from '../../http/policy.js';

export const ownBillingPolicy = policy('own billing', { read: [anyone], read_ledger: [self] });
