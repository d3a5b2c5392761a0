import { anyone, policy } from '../../http/policy.js';

/** Everybody sees their own, and nobody else's: the recipient is part of every statement. */
export const notificationPolicy = policy('own notifications', { read: [anyone], write: [anyone] });
