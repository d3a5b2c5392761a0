-- Whoever makes a notification, in whatever way, makes its deliveries with it, and asks for the processes that carry them
-- out: nobody can forget to. What is told of a conversation waits for two minutes for what else is: it goes out in one mail.
CREATE OR REPLACE FUNCTION app.plan_deliveries() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE wanted record;
BEGIN
  INSERT INTO notification_deliveries (organization_id, notification_id, channel, recipient_id, critical, due_at, held)
  SELECT m.organization_id, m.id, 'email', m.recipient_id, m.critical,
         coalesce(m.scheduled_for, CASE WHEN m.category = 'forum' THEN coalesce(waiting.due_at, now() + interval '2 minutes') END, now()),
         m.scheduled_for IS NOT NULL
    FROM made m
    LEFT JOIN LATERAL (
      SELECT min(d.due_at) AS due_at FROM notifications o
        JOIN notification_deliveries d ON d.organization_id = o.organization_id AND d.notification_id = o.id
       WHERE o.organization_id = m.organization_id AND o.subject_id = m.subject_id AND o.recipient_id = m.recipient_id
         AND d.channel = 'email' AND d.outcome IS NULL AND d.claimed_at IS NULL AND NOT d.held) waiting ON m.category = 'forum'
    -- what comes from elsewhere with its history is news to nobody
   WHERE m.created_at > now() - interval '1 day';
  INSERT INTO notification_deliveries (organization_id, notification_id, channel, recipient_id, critical, due_at, held)
  SELECT m.organization_id, m.id, phone.platform, m.recipient_id, m.critical, coalesce(m.scheduled_for, now()),
         m.scheduled_for IS NOT NULL
    FROM made m
   CROSS JOIN LATERAL (
     SELECT DISTINCT t.platform FROM push_tokens t WHERE t.user_id = m.recipient_id AND t.is_active
        AND (t.confined_to IS NULL OR t.confined_to = m.organization_id)) phone
   WHERE m.created_at > now() - interval '1 day';
  FOR wanted IN
    SELECT DISTINCT d.organization_id, d.channel FROM made m
      JOIN notification_deliveries d ON d.organization_id = m.organization_id AND d.notification_id = m.id
     WHERE d.outcome IS NULL AND d.due_at <= now() + interval '3 minutes'
  LOOP
    PERFORM app.ask_for_delivery(wanted.organization_id, wanted.channel);
  END LOOP;
  RETURN NULL;
END $$;

CREATE OR REPLACE TRIGGER notifications_plan_deliveries AFTER INSERT ON notifications
  REFERENCING NEW TABLE AS made FOR EACH STATEMENT EXECUTE FUNCTION app.plan_deliveries();
