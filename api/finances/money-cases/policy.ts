import { nationalAdmin, policy } from '../../http/policy.js';

export const moneyCasePolicy = policy('money case', { read: [nationalAdmin], resolve: [nationalAdmin] });
