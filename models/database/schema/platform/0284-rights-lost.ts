import type { Migration } from '../../schemaFiles.js';

/** An alert stops when its author does not run the platform any more. */
export const up: Migration['up'] = ({ run }) =>
  run(`
    ALTER TABLE platform_alerts DROP CONSTRAINT platform_alerts_status_check,
      ADD CONSTRAINT platform_alerts_status_check CHECK (status IN ('running','done','cancelled','stopped_right_lost'));
  `);

export const down: Migration['down'] = ({ run }) =>
  run(`
    UPDATE platform_alerts SET status = 'cancelled' WHERE status = 'stopped_right_lost';
    ALTER TABLE platform_alerts DROP CONSTRAINT platform_alerts_status_check,
      ADD CONSTRAINT platform_alerts_status_check CHECK (status IN ('running','done','cancelled'));
  `);
