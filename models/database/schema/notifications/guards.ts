import { type Guards, isolate, grant, trackUpdates } from '../../isolation.js';

export const guards: Guards = {
  notification_preferences: [isolate(), trackUpdates],
  notification_defaults: [isolate('SELECT, INSERT, UPDATE')],
  notification_mutes: [isolate('SELECT, INSERT, DELETE')],
  user_quiet_hours: [grant('SELECT, INSERT, UPDATE, DELETE'), trackUpdates],
  // Notifications can be changed only in a few columns: the texts, which are rendered at delivery, the recipient, who
  // may be a placeholder that becomes an account, and the columns of their state.
  notifications: [
    isolate(
      'SELECT, INSERT, DELETE, UPDATE (recipient_id, title, body, body_without_amounts, office_of, unlisted_reason, read_at, resolved_at, scheduled_for, actor_id)',
    ),
  ],
  notification_deliveries: [isolate()],
  notification_settings: [isolate('SELECT, INSERT, UPDATE'), trackUpdates],
  mail_server_failures: [isolate()],
  mail_messages: [isolate()],
  digest_preferences: [isolate(), trackUpdates],
  notification_digests: [
    isolate('SELECT, INSERT, DELETE, UPDATE (summary, due_at, held, mail_id, sent_at, unmailed_reason)'),
  ],
  mail_suppressions: [isolate('SELECT, INSERT, DELETE, UPDATE (user_id)')],
  notification_fanouts: [isolate(), trackUpdates],
  forum_subscriptions: [isolate()],

  push_tokens: [grant('SELECT, INSERT, UPDATE, DELETE'), trackUpdates],
  push_delivery_records: [
    isolate('SELECT, INSERT, UPDATE (outcome, error_code, gateway_id, duration_ms, repeats_at, concluded_at)'),
  ],
  push_gateways: [grant('SELECT, UPDATE')],
};
