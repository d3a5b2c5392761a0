import type { Migration } from '../../schemaFiles.js';

/**
 * Changes nothing on the way up; the way down drops the functions of definitions/begin_roster_names.sql and
 * definitions/begin_membership_periods.sql, which begin roster names and histories once for all memberships of a
 * statement.
 */
export const up: Migration['up'] = () => Promise.resolve();

export const down: Migration['down'] = ({ run }) =>
  run(`
    DROP FUNCTION IF EXISTS app.begin_roster_names() CASCADE;
    DROP FUNCTION IF EXISTS app.begin_membership_periods() CASCADE;
  `);
