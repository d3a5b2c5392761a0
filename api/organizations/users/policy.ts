import { nationalAdmin, policy } from '../../http/policy.js';

export const memberPasswordPolicy = policy("member's password", {
  mail_reset: [nationalAdmin],
  set_temporary: [nationalAdmin],
});

export const memberSessionPolicy = policy('member session', { read: [nationalAdmin], revoke: [nationalAdmin] });
