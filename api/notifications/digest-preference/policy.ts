import { anyone, policy } from '../../http/policy.js';

export const digestPolicy = policy('own digests', { read: [anyone], write: [anyone] });
