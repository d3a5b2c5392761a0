-- Creates the deliveries of new notifications and wakes the processes that deliver them, no matter which code creates
-- the notifications. Mail about a conversation waits for two minutes, so that several notifications become one mail.
CREATE OR REPLACE FUNCTION app.plan_deliveries() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE wanted record;
BEGIN
  -- The statement that plans the deliveries also returns their channels, because a second query would be too slow for a
  -- batch of 5,000.
  FOR wanted IN
    WITH news AS (
      -- Notifications about imported history are not delivered.
      SELECT * FROM made WHERE created_at > now() - interval '1 day'),
    mails AS (
      INSERT INTO notification_deliveries (organization_id, notification_id, channel, recipient_id, critical, due_at, held)
      SELECT m.organization_id, m.id, 'email', m.recipient_id, m.critical,
             coalesce(m.scheduled_for, CASE WHEN m.category = 'forum' THEN coalesce(waiting.due_at, now() + interval '2 minutes') END, now()),
             m.scheduled_for IS NOT NULL
        FROM news m
        LEFT JOIN LATERAL (
          SELECT min(d.due_at) AS due_at FROM notifications o
            JOIN notification_deliveries d ON d.organization_id = o.organization_id AND d.notification_id = o.id
           WHERE m.category = 'forum'
             AND o.organization_id = m.organization_id AND o.subject_id = m.subject_id AND o.recipient_id = m.recipient_id
             AND d.channel = 'email' AND d.outcome IS NULL AND d.claimed_at IS NULL AND NOT d.held) waiting ON true
      RETURNING organization_id, channel, due_at),
    pushes AS (
      INSERT INTO notification_deliveries (organization_id, notification_id, channel, recipient_id, critical, due_at, held)
      SELECT m.organization_id, m.id, phone.platform, m.recipient_id, m.critical, coalesce(m.scheduled_for, now()),
             m.scheduled_for IS NOT NULL
        FROM news m
       CROSS JOIN LATERAL (
         SELECT DISTINCT t.platform FROM push_tokens t WHERE t.user_id = m.recipient_id AND t.is_active
            AND (t.confined_to IS NULL OR t.confined_to = m.organization_id)) phone
      RETURNING organization_id, channel, due_at)
    SELECT DISTINCT organization_id, channel FROM (TABLE mails UNION ALL TABLE pushes) planned
     WHERE due_at <= now() + interval '3 minutes' ORDER BY organization_id, channel
  LOOP
    PERFORM app.ask_for_delivery(wanted.organization_id, wanted.channel);
  END LOOP;
  RETURN NULL;
END $$;

CREATE OR REPLACE TRIGGER notifications_plan_deliveries AFTER INSERT ON notifications
  REFERENCING NEW TABLE AS made FOR EACH STATEMENT EXECUTE FUNCTION app.plan_deliveries();
