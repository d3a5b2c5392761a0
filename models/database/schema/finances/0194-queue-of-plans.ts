import type { Migration } from '../../schemaFiles.js';

/** Orders the queue of plan requests by the end of their freeze; decided requests are not in it. */
export const up: Migration['up'] = ({ run }) =>
  run(`CREATE INDEX plan_requests_by_freeze ON payment_plan_requests
    (organization_id, (CASE WHEN status = 'pending' THEN freeze_anchor END), id);`);

export const down: Migration['down'] = ({ run }) => run('DROP INDEX plan_requests_by_freeze;');
