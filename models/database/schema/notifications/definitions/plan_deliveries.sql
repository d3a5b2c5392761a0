-- Creates the deliveries of new notifications and wakes the processes that deliver them, no matter which code creates
-- the notifications.
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
             coalesce(m.scheduled_for, now()), m.scheduled_for IS NOT NULL
        FROM news m
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
