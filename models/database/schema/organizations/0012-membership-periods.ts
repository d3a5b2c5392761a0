import type { Migration } from '../../schemaFiles.js';

/**
 * What each membership was, and when. Triggers write it; they begin it for the memberships that are there
 * (definitions/write_membership_period.sql).
 */
export const up: Migration['up'] = ({ runFiles }) => runFiles(__dirname, ['membership-periods']);

export const down: Migration['down'] = ({ run }) =>
  run(`
    DROP FUNCTION IF EXISTS app.write_membership_period() CASCADE;
    DROP FUNCTION IF EXISTS app.keep_periods_whole() CASCADE;
    DROP TABLE membership_periods;
  `);
