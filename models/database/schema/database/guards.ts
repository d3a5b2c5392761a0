import { type Guards, immutable, isolate, may } from '../../isolation.js';

export const guards: Guards = {
  audit_log: [isolate('SELECT, INSERT'), immutable],
  // written by a trigger alone; gone with the person, or handed over with a place that was kept for them
  audit_values: [isolate('SELECT, DELETE, UPDATE (user_id)')],
  outbox: [may('SELECT, INSERT, UPDATE, DELETE')],
  throttles: [may('SELECT, INSERT, UPDATE, DELETE')],
};
