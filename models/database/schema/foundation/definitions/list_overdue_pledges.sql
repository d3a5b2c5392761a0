-- Lists all pledges that have been due for an hour, as `overdue_pledges` does for given ones. The check of stuck processes
-- calls it for all organizations; it answers with ids only.
CREATE OR REPLACE FUNCTION app.list_overdue_pledges() RETURNS TABLE (id uuid)
  LANGUAGE sql STABLE SECURITY DEFINER SET search_path = public, pg_temp AS $$
  SELECT g.id FROM recurring_pledges g WHERE g.next_due_at < now() - interval '1 hour' $$;
REVOKE ALL ON FUNCTION app.list_overdue_pledges() FROM PUBLIC;
GRANT EXECUTE ON FUNCTION app.list_overdue_pledges() TO :"runtime";
