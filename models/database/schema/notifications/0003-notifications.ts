import type { Migration } from '../../schemaFiles.js';

/** Creates notifications, their channels, and their deliveries. */
export const up: Migration['up'] = ({ runFiles }) =>
  runFiles(__dirname, [
    'preferences',
    'settings',
    'mail',
    'digests',
    'notifications',
    'fanouts',
    'forum-subscriptions',
    'push',
  ]);

export const down: Migration['down'] = ({ run }) =>
  run(`
    DROP TABLE
      push_gateways, push_delivery_records, push_tokens, forum_subscriptions, notification_fanouts, notification_deliveries,
      notifications, notification_digests, digest_preferences, mail_server_failures, mail_suppressions,
      mail_messages, notification_settings, user_quiet_hours, notification_mutes, notification_defaults,
      notification_preferences CASCADE;
  `);
