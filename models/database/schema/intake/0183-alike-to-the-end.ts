import type { Migration } from '../../schemaFiles.js';

/**
 * Hides from the sender of an application without proof of address whether the address has an account: in decisions,
 * letters and reopening.
 */
export const up: Migration['up'] = ({ run }) =>
  run(`
    -- a version that counts may still be verified afterwards
    ALTER TABLE pnm_application_versions DROP CONSTRAINT pnm_application_versions_pending;
    ALTER TABLE pnm_application_versions ADD CONSTRAINT pnm_application_versions_archived
      CHECK (state <> 'archived' OR confirm_hash IS NULL);
    -- links of unverified applications sent before stay ended when the period is reopened
    ALTER TABLE recruitment_periods ADD COLUMN links_ended_at timestamptz,
      -- last turn whose process was requested to end before all applicants had followed
      ADD COLUMN stopped_turn int NOT NULL DEFAULT 0,
      ADD CONSTRAINT recruitment_periods_stopped CHECK (stopped_turn <= turn);
    DROP INDEX recruitment_periods_waiting;
    CREATE INDEX recruitment_periods_waiting ON recruitment_periods (id) WHERE settled_turn < turn AND stopped_turn < turn;
  `);

export const down: Migration['down'] = ({ run }) =>
  run(`
    DROP FUNCTION IF EXISTS app.forget_unproven_applications(integer);
    DROP INDEX recruitment_periods_waiting;
    UPDATE recruitment_periods SET settled_turn = greatest(settled_turn, stopped_turn);
    CREATE INDEX recruitment_periods_waiting ON recruitment_periods (id) WHERE settled_turn < turn;
    ALTER TABLE recruitment_periods DROP COLUMN links_ended_at, DROP COLUMN stopped_turn;
    ALTER TABLE pnm_application_versions DROP CONSTRAINT pnm_application_versions_archived;
    UPDATE pnm_application_versions SET confirm_hash = NULL WHERE state <> 'pending';
    ALTER TABLE pnm_application_versions ADD CONSTRAINT pnm_application_versions_pending
      CHECK (state = 'pending' OR confirm_hash IS NULL);
  `);
