import { nationalAdmin, policy } from '../../http/policy.js';

export const ssoRefusalPolicy = policy('refused sign-ins', { read: [nationalAdmin] });
