import { currentOrganization, rows } from '../database/rows.js';

/**
 * Reassigns notifications and pending deliveries from a placeholder to the account that replaces it. If the account
 * already has a notification of the same event, the placeholder's notification stays unchanged.
 */
export async function reassignNotifications(placeholderId: string, accountId: string): Promise<void> {
  await rows(
    `WITH handed AS (
       UPDATE notifications n SET recipient_id = $3
        WHERE n.organization_id = $1 AND n.recipient_id = $2 AND NOT EXISTS (
          SELECT FROM notifications own WHERE own.organization_id = $1 AND own.recipient_id = $3 AND own.event_id = n.event_id)
        RETURNING n.id),
     mailed AS (UPDATE mail_messages SET recipient_id = $3 WHERE organization_id = $1 AND recipient_id = $2),
     refused AS (UPDATE mail_suppressions SET user_id = $3 WHERE organization_id = $1 AND user_id = $2)
     UPDATE notification_deliveries d SET recipient_id = $3
       FROM handed WHERE d.organization_id = $1 AND d.notification_id = handed.id`,
    [currentOrganization(), placeholderId, accountId],
  );
}
