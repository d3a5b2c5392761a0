import { anyone, policy } from '../../http/policy.js';

export const preferencePolicy = policy('own notification preferences', { read: [anyone], write: [anyone] });
