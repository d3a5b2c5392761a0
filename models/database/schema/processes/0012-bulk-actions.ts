import type { Migration } from '../../schemaFiles.js';

/** Creates the tables of operators' work on processes. */
export const up: Migration['up'] = ({ runFiles }) => runFiles(__dirname, ['bulk-actions']);

export const down: Migration['down'] = ({ run }) =>
  run(`
    DROP TABLE
      process_bulk_action_targets, process_bulk_actions CASCADE;
  `);
