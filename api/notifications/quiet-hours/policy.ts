import { anyone, policy } from '../../http/policy.js';

export const quietHoursPolicy = policy('own quiet hours', { read: [anyone], write: [anyone] });
