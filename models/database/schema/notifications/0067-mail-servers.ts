import type { Migration } from '../../schemaFiles.js';

/**
 * Allows a sender address without an own mail server. Failures of a server are shown while they last, in a table of
 * their own, because they are no edits of the settings. Mail is retried for a day after the first attempt.
 */
export const up: Migration['up'] = ({ run }) =>
  run(`
    ALTER TABLE notification_settings DROP CONSTRAINT notification_settings_sender,
      ADD CONSTRAINT notification_settings_sender CHECK (smtp_host IS NULL OR from_email IS NOT NULL);

    CREATE TABLE mail_server_failures (
      organization_id uuid PRIMARY KEY REFERENCES organizations,
      -- the step at which sending failed
      step text NOT NULL CHECK (step IN ('resolve', 'connect', 'tls', 'greeting', 'auth', 'sender', 'recipient', 'data')),
      -- a reply code or the name of an error, never what the server wrote
      answer text NOT NULL CHECK (answer ~ '^[A-Za-z0-9_]{1,100}$'),
      since timestamptz NOT NULL DEFAULT now(),
      last_tried_at timestamptz NOT NULL DEFAULT now(),
      -- when the admins were notified
      told_at timestamptz
    );

    ALTER TABLE notification_deliveries ADD COLUMN first_tried_at timestamptz;
  `);

export const down: Migration['down'] = ({ run }) =>
  run(`
    ALTER TABLE notification_deliveries DROP COLUMN first_tried_at;
    DROP TABLE mail_server_failures;
    UPDATE notification_settings SET from_email = NULL WHERE smtp_host IS NULL;
    ALTER TABLE notification_settings DROP CONSTRAINT notification_settings_sender,
      ADD CONSTRAINT notification_settings_sender CHECK ((from_email IS NULL) = (smtp_host IS NULL));
  `);
