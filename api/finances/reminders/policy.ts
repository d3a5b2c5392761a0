import { nationalAdmin, policy } from '../../http/policy.js';

export const reminderPolicy = policy('reminder', { read: [nationalAdmin] });
