import type { Migration } from '../../schemaFiles.js';

/** Creates tenants, the outbox, the throttle counters and the audit log. */
export const up: Migration['up'] = ({ runFiles }) =>
  runFiles(__dirname, ['tenants', 'outbox', 'throttles', 'audit-log']);

export const down: Migration['down'] = ({ run }) =>
  run(`
    DROP TABLE
      platform_audit_log, audit_values, audit_log, throttles, outbox, organizations CASCADE;
    DROP SCHEMA app CASCADE;
  `);
