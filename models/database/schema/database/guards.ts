import { type Guards, immutable, isolate, grant } from '../../isolation.js';

export const guards: Guards = {
  audit_log: [isolate('SELECT, INSERT'), immutable],
  // written only by a trigger; erased with the person, or reassigned from a placeholder to its account
  audit_values: [isolate('SELECT, DELETE, UPDATE (user_id)')],
  outbox: [grant('SELECT, INSERT, UPDATE, DELETE')],
  throttles: [grant('SELECT, INSERT, UPDATE, DELETE')],
};
