import type { Migration } from '../../schemaFiles.js';

/** The queue of requests for instalments is in the order in which their windows end; what is decided has none. */
export const up: Migration['up'] = ({ run }) =>
  run(`CREATE INDEX plan_requests_by_freeze ON payment_plan_requests
    (organization_id, (CASE WHEN status = 'pending' THEN freeze_anchor END), id);`);

export const down: Migration['down'] = ({ run }) => run('DROP INDEX plan_requests_by_freeze;');
