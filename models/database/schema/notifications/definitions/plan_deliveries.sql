-- Whoever makes a notification, in whatever way, makes its deliveries with it, and asks for the processes that carry them
-- out: nobody can forget to.
CREATE OR REPLACE FUNCTION app.plan_deliveries() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE wanted record;
BEGIN
  INSERT INTO notification_deliveries (organization_id, notification_id, channel, recipient_id, critical, due_at, held)
  SELECT m.organization_id, m.id, 'email', m.recipient_id, m.critical, coalesce(m.scheduled_for, now()),
         m.scheduled_for IS NOT NULL
    -- what comes from elsewhere with its history is news to nobody
    FROM made m WHERE m.created_at > now() - interval '1 day';
  FOR wanted IN
    SELECT DISTINCT d.organization_id, d.channel FROM made m
      JOIN notification_deliveries d ON d.organization_id = m.organization_id AND d.notification_id = m.id
     WHERE d.outcome IS NULL AND d.due_at <= now()
  LOOP
    PERFORM app.ask_for_delivery(wanted.organization_id, wanted.channel);
  END LOOP;
  RETURN NULL;
END $$;

CREATE OR REPLACE TRIGGER notifications_plan_deliveries AFTER INSERT ON notifications
  REFERENCING NEW TABLE AS made FOR EACH STATEMENT EXECUTE FUNCTION app.plan_deliveries();
