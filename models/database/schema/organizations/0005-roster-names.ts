import type { Migration } from '../../schemaFiles.js';

/**
 * Creates members by name, so that a roster page is read from an index. Triggers fill it:
 * definitions/rename_in_rosters.sql.
 */
export const up: Migration['up'] = ({ runFiles }) => runFiles(__dirname, ['roster-names']);

export const down: Migration['down'] = ({ run }) =>
  run(`
    DROP FUNCTION IF EXISTS app.keep_roster_name() CASCADE;
    DROP FUNCTION IF EXISTS app.rename_in_rosters() CASCADE;
    DROP TABLE roster_names;
  `);
