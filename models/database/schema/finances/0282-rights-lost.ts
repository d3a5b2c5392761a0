import type { Migration } from '../../schemaFiles.js';

/** Dues runs and bulk approvals of plans stop when the person who confirmed them has lost the right. */
export const up: Migration['up'] = ({ run }) =>
  run(`
    ALTER TABLE dues_runs DROP CONSTRAINT dues_runs_status_check,
      ADD CONSTRAINT dues_runs_status_check CHECK (status IN
        ('running','completed','failed','cancelled','stopped_right_lost'));
    ALTER TABLE plan_bulk_approvals DROP CONSTRAINT plan_bulk_approvals_status_check,
      ADD CONSTRAINT plan_bulk_approvals_status_check CHECK (status IN
        ('approving','approved','cancelled','stopped_right_lost'));
  `);

export const down: Migration['down'] = ({ run }) =>
  run(`
    UPDATE dues_runs SET status = 'cancelled' WHERE status = 'stopped_right_lost';
    UPDATE plan_bulk_approvals SET status = 'cancelled' WHERE status = 'stopped_right_lost';
    ALTER TABLE dues_runs DROP CONSTRAINT dues_runs_status_check,
      ADD CONSTRAINT dues_runs_status_check CHECK (status IN ('running','completed','failed','cancelled'));
    ALTER TABLE plan_bulk_approvals DROP CONSTRAINT plan_bulk_approvals_status_check,
      ADD CONSTRAINT plan_bulk_approvals_status_check CHECK (status IN ('approving','approved','cancelled'));
  `);
