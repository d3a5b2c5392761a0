-- Withdraws unread notifications: they leave the list, and what is not sent yet is not sent. Locks rows in id order, as
-- marking as read does.
CREATE OR REPLACE FUNCTION app.withdraw_notifications(p_organization uuid, p_ids uuid[]) RETURNS void LANGUAGE sql AS $$
  WITH unread AS (
    SELECT id FROM notifications
     WHERE organization_id = p_organization AND id = ANY (p_ids) AND read_at IS NULL
       AND unlisted_reason IS DISTINCT FROM 'withdrawn' ORDER BY id FOR NO KEY UPDATE),
  unsent AS (
    UPDATE notification_deliveries d SET outcome = 'suppressed', reason = 'withdrawn', concluded_at = now()
      FROM unread WHERE d.organization_id = p_organization AND d.notification_id = unread.id
       AND d.outcome IS NULL AND d.claimed_at IS NULL)
  UPDATE notifications n SET unlisted_reason = 'withdrawn' FROM unread
   WHERE n.organization_id = p_organization AND n.id = unread.id $$;
