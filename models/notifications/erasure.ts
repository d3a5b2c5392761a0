import type { Erasure } from '../identity/deletion/erasure.js';
import { currentOrganization, oneRow } from '../database/rows.js';

/** Deletes a person's notifications, mails and preferences in the tenant. */
async function deleteNotificationData(userId: string): Promise<{ changed: number }> {
  const { changed } = await oneRow<{ changed: number }>(
    `WITH digested AS (DELETE FROM notification_digests WHERE organization_id = $1 AND user_id = $2 RETURNING 1),
          rhythm AS (DELETE FROM digest_preferences WHERE organization_id = $1 AND user_id = $2 RETURNING 1),
          told AS (DELETE FROM notifications WHERE organization_id = $1 AND recipient_id = $2 RETURNING 1),
          mailed AS (DELETE FROM mail_messages WHERE organization_id = $1 AND recipient_id = $2 RETURNING 1),
          refused AS (DELETE FROM mail_suppressions WHERE organization_id = $1 AND user_id = $2 RETURNING 1),
          chosen AS (DELETE FROM notification_preferences WHERE organization_id = $1 AND user_id = $2 RETURNING 1),
          muted AS (DELETE FROM notification_mutes WHERE organization_id = $1 AND user_id = $2 RETURNING 1),
          subscribed AS (DELETE FROM forum_subscriptions WHERE organization_id = $1 AND user_id = $2 RETURNING 1)
     SELECT ((SELECT count(*) FROM digested) + (SELECT count(*) FROM rhythm) + (SELECT count(*) FROM told) + (SELECT count(*) FROM mailed) +
             (SELECT count(*) FROM refused) + (SELECT count(*) FROM chosen) + (SELECT count(*) FROM muted) +
             (SELECT count(*) FROM subscribed))::int AS changed`,
    [currentOrganization(), userId],
  );
  return { changed };
}

const ACTOR_ID_REASON = 'The id of the actor in notifications of other people.';
const DELETED_REASON = 'Deleted in each organization.';

export const notificationsErasure: Erasure = {
  deletedTables: { user_quiet_hours: 'user_id', push_tokens: 'user_id' },
  retainedColumns: {
    'notifications.actor_id': ACTOR_ID_REASON,
    'notification_fanouts.actor_id': ACTOR_ID_REASON,
    'notifications.recipient_id': DELETED_REASON,
    'notification_deliveries.recipient_id': DELETED_REASON,
    'mail_messages.recipient_id': DELETED_REASON,
    'mail_suppressions.user_id': DELETED_REASON,
    'mail_messages.email': DELETED_REASON,
    'mail_suppressions.email': DELETED_REASON,
    'notification_settings.from_email': 'The sender address of the organization, not the mailbox of a person.',
    'notification_digests.user_id': DELETED_REASON,
    'digest_preferences.user_id': DELETED_REASON,
    'notification_preferences.user_id': DELETED_REASON,
    'notification_mutes.user_id': DELETED_REASON,
    'forum_subscriptions.user_id': DELETED_REASON,
  },
  inOrganization: deleteNotificationData,
};
