import type { Migration } from '../../schemaFiles.js';

/** Adds an index that finds unsent notices by their subject. */
export const up: Migration['up'] = ({ run }) =>
  run(
    `CREATE INDEX account_notices_about ON account_notices ((facts->>'about')) WHERE outcome IS NULL AND facts ? 'about';`,
  );

export const down: Migration['down'] = ({ run }) =>
  run(`
    DROP FUNCTION IF EXISTS app.withdraw_notices(uuid) CASCADE;
    DROP INDEX account_notices_about;
  `);
