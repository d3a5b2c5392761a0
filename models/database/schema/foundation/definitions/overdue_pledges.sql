-- Returns those of the given pledges that have been due for an hour, and whose period is not open: their process does not
-- do its work. For operators, who look at the processes of all organizations; it answers with ids only.
CREATE OR REPLACE FUNCTION app.overdue_pledges(p_pledges uuid[]) RETURNS TABLE (id uuid)
  LANGUAGE sql STABLE SECURITY DEFINER SET search_path = public, pg_temp AS $$
  SELECT g.id FROM recurring_pledges g WHERE g.id = ANY (p_pledges) AND g.next_due_at < now() - interval '1 hour' $$;
REVOKE ALL ON FUNCTION app.overdue_pledges(uuid[]) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION app.overdue_pledges(uuid[]) TO :"runtime";
