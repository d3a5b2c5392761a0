import type { Migration } from '../../schemaFiles.js';

/** Lets an alert stop when its author is no longer a platform admin. */
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
