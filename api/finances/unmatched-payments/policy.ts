import { nationalAdmin, policy } from '../../http/policy.js';

export const unmatchedPaymentPolicy = policy('unmatched payment', { read: [nationalAdmin], resolve: [nationalAdmin] });
