import type { Migration } from '../../schemaFiles.js';

/** Records notifications about a window without dunning: that it ends soon, and that it has ended. */
export const up: Migration['up'] = ({ run }) =>
  run(`
    ALTER TABLE payment_plan_requests ADD COLUMN reminded_at timestamptz, ADD COLUMN thawed_at timestamptz;
    CREATE INDEX plan_requests_frozen ON payment_plan_requests (id)
      WHERE status = 'pending' AND freeze_anchor IS NOT NULL AND thawed_at IS NULL;
  `);

export const down: Migration['down'] = ({ run }) =>
  run('ALTER TABLE payment_plan_requests DROP COLUMN reminded_at, DROP COLUMN thawed_at;');
