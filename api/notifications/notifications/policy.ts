import { anyone, policy } from '../../http/policy.js';

/** Everybody sees only their own notifications: the recipient is part of every statement. */
export const notificationPolicy = policy('own notifications', { read: [anyone], write: [anyone] });
