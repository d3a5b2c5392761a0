import { type Guards, grant } from '../../isolation.js';

export const guards: Guards = {
  process_incidents: [grant('SELECT, INSERT, UPDATE (reason, status, notified_at), DELETE')],
};
