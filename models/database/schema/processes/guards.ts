import { grant, type Guards, isolate, trackUpdates } from '../../isolation.js';

export const guards: Guards = {
  process_incidents: [grant('SELECT, INSERT, UPDATE (reason, status, notified_at), DELETE')],
  process_bulk_actions: [isolate('SELECT, INSERT, UPDATE (status, ended_at)'), trackUpdates],
  // The targets of a bulk action never change, only their outcomes.
  process_bulk_action_targets: [
    isolate('SELECT, INSERT, UPDATE (claimed_at, outcome, refusal_code, finished_at)'),
    trackUpdates,
  ],
};
