import type { Migration } from '../../schemaFiles.js';

/** Adds idempotency keys of alerts: a repeated request with the same key returns the existing alert. */
export const up: Migration['up'] = ({ run }) =>
  run(`
    ALTER TABLE platform_alerts
      ADD COLUMN idempotency_key text CHECK (idempotency_key ~ '^[!-~]{1,100}$'),
      ADD CONSTRAINT platform_alerts_once UNIQUE (created_by, idempotency_key);
  `);

export const down: Migration['down'] = ({ run }) => run('ALTER TABLE platform_alerts DROP COLUMN idempotency_key;');
