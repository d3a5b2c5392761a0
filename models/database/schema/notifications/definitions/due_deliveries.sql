-- Channels of all organizations with due, unclaimed deliveries: those that quiet hours released, and lost ones.
-- Returns ids only.
CREATE OR REPLACE FUNCTION app.due_deliveries() RETURNS TABLE (organization_id uuid, channel text)
  LANGUAGE sql STABLE SECURITY DEFINER SET search_path = public, pg_temp AS $$
  SELECT DISTINCT d.organization_id, d.channel FROM notification_deliveries d
   WHERE d.outcome IS NULL AND d.due_at <= now()
     AND (d.claimed_at IS NULL OR d.claimed_at < now() - interval '2 minutes') $$;
REVOKE ALL ON FUNCTION app.due_deliveries() FROM PUBLIC;
GRANT EXECUTE ON FUNCTION app.due_deliveries() TO :"runtime";
