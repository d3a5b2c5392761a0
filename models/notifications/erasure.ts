import type { Erasure } from '../identity/deletion/erasure.js';
import { currentOrganization, oneRow } from '../database/rows.js';

/** What somebody was told, and how they wanted to be told, goes with the account. */
async function forgetTold(userId: string): Promise<{ changed: number }> {
  const { changed } = await oneRow<{ changed: number }>(
    `WITH digested AS (DELETE FROM notification_digests WHERE organization_id = $1 AND user_id = $2 RETURNING 1),
          rhythm AS (DELETE FROM digest_preferences WHERE organization_id = $1 AND user_id = $2 RETURNING 1),
          told AS (DELETE FROM notifications WHERE organization_id = $1 AND recipient_id = $2 RETURNING 1),
          mailed AS (DELETE FROM mail_messages WHERE organization_id = $1 AND recipient_id = $2 RETURNING 1),
          refused AS (DELETE FROM mail_suppressions WHERE organization_id = $1 AND user_id = $2 RETURNING 1),
          chosen AS (DELETE FROM notification_preferences WHERE organization_id = $1 AND user_id = $2 RETURNING 1),
          muted AS (DELETE FROM notification_mutes WHERE organization_id = $1 AND user_id = $2 RETURNING 1)
     SELECT ((SELECT count(*) FROM digested) + (SELECT count(*) FROM rhythm) + (SELECT count(*) FROM told) + (SELECT count(*) FROM mailed) +
             (SELECT count(*) FROM refused) + (SELECT count(*) FROM chosen) + (SELECT count(*) FROM muted))::int AS changed`,
    [currentOrganization(), userId],
  );
  return { changed };
}

const ACTED = 'Who did what somebody else was told of, by id.';
const GONE = 'Deleted in each organization.';

export const notificationsErasure: Erasure = {
  deleted: { user_quiet_hours: 'user_id', push_tokens: 'user_id' },
  kept: {
    'notifications.actor_id': ACTED,
    'notification_fanouts.actor_id': ACTED,
    'notifications.recipient_id': GONE,
    'notification_deliveries.recipient_id': GONE,
    'mail_messages.recipient_id': GONE,
    'mail_suppressions.user_id': GONE,
    'mail_messages.email': GONE,
    'mail_suppressions.email': GONE,
    'notification_settings.from_email': 'The organization’s own sender, which is nobody’s mailbox.',
    'notification_digests.user_id': GONE,
    'digest_preferences.user_id': GONE,
    'notification_preferences.user_id': GONE,
    'notification_mutes.user_id': GONE,
  },
  inOrganization: forgetTold,
};
