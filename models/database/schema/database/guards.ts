import { type Guards, immutable, isolate, grant } from '../../isolation.js';

export const guards: Guards = {
  audit_log: [isolate('SELECT, INSERT'), immutable],
  // The runtime may not insert audit_values, because only a trigger writes them. It deletes them when the person is
  // erased, and changes user_id when a placeholder becomes an account.
  audit_values: [isolate('SELECT, DELETE, UPDATE (user_id)')],
  platform_audit_log: [grant('SELECT, INSERT'), immutable],
  outbox: [grant('SELECT, INSERT, UPDATE, DELETE')],
  throttles: [grant('SELECT, INSERT, UPDATE, DELETE')],
};
