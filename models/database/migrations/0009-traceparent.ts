import type { Migration } from '../migrate.js';

/** The trace that an intent belongs to, as W3C `traceparent`; null while tracing is off. */
export const up: Migration['up'] = async ({ run }) =>
  run(`ALTER TABLE outbox ADD COLUMN traceparent text CHECK (length(traceparent) <= 55)`);

export const down: Migration['down'] = async ({ run }) => run('ALTER TABLE outbox DROP COLUMN traceparent');
