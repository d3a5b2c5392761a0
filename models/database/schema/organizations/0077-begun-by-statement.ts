import type { Migration } from '../../schemaFiles.js';

/**
 * Roster names and histories are begun once for all memberships of a statement: definitions/begin_roster_names.sql and
 * definitions/begin_membership_periods.sql, which this only takes back.
 */
export const up: Migration['up'] = () => Promise.resolve();

export const down: Migration['down'] = ({ run }) =>
  run(`
    DROP FUNCTION IF EXISTS app.begin_roster_names() CASCADE;
    DROP FUNCTION IF EXISTS app.begin_membership_periods() CASCADE;
  `);
