import type { Migration } from '../../schemaFiles.js';

/** Makes a sender address of the platform's domains unique to one organization: of several, the first keeps it. */
export const up: Migration['up'] = ({ run }) =>
  run(`
    -- from_email, when the platform's server sends for it
    ALTER TABLE notification_settings ADD COLUMN platform_sender text;
    UPDATE notification_settings s SET platform_sender = s.from_email
     WHERE s.id IN (SELECT DISTINCT ON (from_email) id FROM notification_settings
       WHERE smtp_host IS NULL AND from_email IS NOT NULL ORDER BY from_email, updated_at, id);
    ALTER TABLE notification_settings
      ADD CONSTRAINT notification_settings_platform_sender
        CHECK (platform_sender IS NULL OR (from_email IS NOT NULL AND platform_sender = from_email AND smtp_host IS NULL)),
      ADD CONSTRAINT notification_settings_one_sender UNIQUE (platform_sender);
  `);

export const down: Migration['down'] = ({ run }) =>
  run(`ALTER TABLE notification_settings DROP COLUMN platform_sender;`);
