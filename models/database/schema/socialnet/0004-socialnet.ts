import type { Migration } from '../../schemaFiles.js';

/** Creates people's accounts at the professional network. */
export const up: Migration['up'] = ({ runFiles }) => runFiles(__dirname, ['social-accounts']);

export const down: Migration['down'] = ({ run }) =>
  run(`
    DROP TABLE
      social_link_flows, social_accounts CASCADE;
  `);
