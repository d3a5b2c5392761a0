-- Returns the channels of all organizations that have due deliveries which no process has claimed: deliveries whose
-- quiet hours are over, and deliveries whose process was lost. Returns ids only.
CREATE OR REPLACE FUNCTION app.due_deliveries() RETURNS TABLE (organization_id uuid, channel text)
  LANGUAGE sql STABLE SECURITY DEFINER SET search_path = public, pg_temp AS $$
  SELECT DISTINCT d.organization_id, d.channel FROM notification_deliveries d
   WHERE d.outcome IS NULL AND d.due_at <= now()
     AND (d.claimed_at IS NULL OR d.claimed_at < now() - interval '2 minutes') $$;
REVOKE ALL ON FUNCTION app.due_deliveries() FROM PUBLIC;
GRANT EXECUTE ON FUNCTION app.due_deliveries() TO :"runtime";
