import type { Migration } from '../migrate.js';

/** What operators may do with processes: cancel an intent before it is handed over, and a dues run that is under way. */
export const up: Migration['up'] = async ({ run }) =>
  run(`
    ALTER TABLE outbox ADD COLUMN cancelled_at timestamptz,
      ADD CONSTRAINT outbox_cancelled_is_done CHECK (cancelled_at IS NULL OR dispatched_at IS NOT NULL);
    CREATE INDEX outbox_not_started ON outbox (workflow_id) WHERE dispatched_at IS NULL OR cancelled_at IS NOT NULL;

    ALTER TABLE dues_runs DROP CONSTRAINT dues_runs_status_check,
      ADD CONSTRAINT dues_runs_status_check CHECK (status IN ('running','completed','failed','cancelled'));
  `);

export const down: Migration['down'] = async ({ run }) =>
  run(`
    UPDATE dues_runs SET status = 'failed' WHERE status = 'cancelled';
    ALTER TABLE dues_runs DROP CONSTRAINT dues_runs_status_check,
      ADD CONSTRAINT dues_runs_status_check CHECK (status IN ('running','completed','failed'));

    DROP INDEX outbox_not_started;
    ALTER TABLE outbox DROP CONSTRAINT outbox_cancelled_is_done, DROP COLUMN cancelled_at;
  `);
