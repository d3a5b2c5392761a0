import type { Migration } from '../migrate.js';

/** Which identity provider began a session: when it is switched off or removed, they end. */
export const up: Migration['up'] = async ({ run }) =>
  run(`
    -- no reference: what began a session stays known after it was removed
    ALTER TABLE sessions ADD COLUMN connection_id uuid;
    CREATE INDEX sessions_connection ON sessions (connection_id) WHERE connection_id IS NOT NULL AND revoked_at IS NULL;
  `);

export const down: Migration['down'] = async ({ run }) => run('ALTER TABLE sessions DROP COLUMN connection_id');
