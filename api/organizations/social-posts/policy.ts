import { nationalAdmin, policy } from '../../http/policy.js';

export const socialPostPolicy = policy('social post', { read: [nationalAdmin], write: [nationalAdmin] });
