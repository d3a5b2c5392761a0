import type { Migration } from '../../schemaFiles.js';

/**
 * Records why not all applicants of a period followed it: its process was cancelled, or its confirmer has lost the
 * right.
 */
export const up: Migration['up'] = ({ run }) =>
  run(`
    ALTER TABLE recruitment_periods ADD COLUMN stop_reason text CHECK (stop_reason IN ('cancelled','stopped_right_lost'));
    UPDATE recruitment_periods SET stop_reason = 'cancelled' WHERE turn > 0 AND stopped_turn = turn;
    ALTER TABLE recruitment_periods ADD CONSTRAINT recruitment_periods_stop_reason
      CHECK ((stop_reason IS NOT NULL) = (turn > 0 AND stopped_turn = turn));
  `);

export const down: Migration['down'] = ({ run }) => run('ALTER TABLE recruitment_periods DROP COLUMN stop_reason;');
