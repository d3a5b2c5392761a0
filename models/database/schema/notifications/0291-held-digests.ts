import type { Migration } from '../../schemaFiles.js';

/** Marks digests whose mail waits for the end of quiet hours, so that a change of the hours finds them and no other. */
export const up: Migration['up'] = ({ run }) =>
  run(`
    ALTER TABLE notification_digests ADD COLUMN held boolean NOT NULL DEFAULT false;
    CREATE INDEX notification_digests_held ON notification_digests (user_id)
      WHERE held AND sent_at IS NULL AND unmailed_reason IS NULL;
  `);

export const down: Migration['down'] = ({ run }) => run('ALTER TABLE notification_digests DROP COLUMN held;');
