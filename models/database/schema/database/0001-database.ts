import type { Migration } from '../../schemaFiles.js';

/** Creates tenants, the outbox and the throttle counters. */
export const up: Migration['up'] = ({ runFiles }) => runFiles(__dirname, ['tenants', 'outbox', 'throttles']);

export const down: Migration['down'] = ({ run }) =>
  run('DROP TABLE throttles, outbox, organizations; DROP SCHEMA app CASCADE');
