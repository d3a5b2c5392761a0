import type { Migration } from '../../schemaFiles.js';

/**
 * Stores a preference per channel; null follows the default. Existing values stay, because chosen values cannot be told
 * from filled-in ones. The check `notification_preferences_locked` refuses only false, so null passes it.
 */
export const up: Migration['up'] = ({ run }) =>
  run(`
    ALTER TABLE notification_preferences
      ALTER COLUMN in_app_enabled DROP NOT NULL,
      ALTER COLUMN email_enabled DROP NOT NULL,
      ALTER COLUMN push_enabled DROP NOT NULL;
  `);

export const down: Migration['down'] = ({ run }) =>
  run(`
    UPDATE notification_preferences SET in_app_enabled = coalesce(in_app_enabled, true),
      email_enabled = coalesce(email_enabled, true),
      push_enabled = coalesce(push_enabled, event_type NOT IN ('new_post', 'event_published'));
    ALTER TABLE notification_preferences
      ALTER COLUMN in_app_enabled SET NOT NULL,
      ALTER COLUMN email_enabled SET NOT NULL,
      ALTER COLUMN push_enabled SET NOT NULL;
  `);
