import type { Migration } from '../../schemaFiles.js';

/** Lets the end of a session also find its push tokens that a gateway has reported as unknown. */
export const up: Migration['up'] = ({ run }) =>
  run(`
    DROP INDEX push_tokens_session;
    CREATE INDEX push_tokens_session ON push_tokens (session_id) WHERE is_active OR deactivated_reason = 'unregistered';
  `);

export const down: Migration['down'] = ({ run }) =>
  run(`
    DROP INDEX push_tokens_session;
    CREATE INDEX push_tokens_session ON push_tokens (session_id) WHERE is_active;
  `);
