import { type Guards, immutable, isolate, may } from '../../isolation.js';

export const guards: Guards = {
  audit_log: [isolate('SELECT, INSERT'), immutable],
  outbox: [may('SELECT, INSERT, UPDATE, DELETE')],
  throttles: [may('SELECT, INSERT, UPDATE, DELETE')],
};
