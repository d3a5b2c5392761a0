import type { Migration } from '../../schemaFiles.js';

/**
 * Creates the history of memberships. Triggers write it and begin it for existing memberships
 * (definitions/write_membership_period.sql).
 */
export const up: Migration['up'] = ({ runFiles }) => runFiles(__dirname, ['membership-periods']);

export const down: Migration['down'] = ({ run }) =>
  run(`
    DROP FUNCTION IF EXISTS app.write_membership_period() CASCADE;
    DROP FUNCTION IF EXISTS app.keep_periods_whole() CASCADE;
    DROP TABLE membership_periods;
  `);
