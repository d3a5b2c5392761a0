import type { Migration } from '../../schemaFiles.js';

/** Creates the operators' alerts and the domains that they verified. */
export const up: Migration['up'] = ({ runFiles }) => runFiles(__dirname, ['alerts', 'verified-domains']);

export const down: Migration['down'] = ({ run }) =>
  run(`
    DROP TABLE
      verified_domains, platform_alerts CASCADE;
  `);
