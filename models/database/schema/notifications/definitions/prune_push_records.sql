-- Deletes push records older than a time, of all organizations, in a batch small enough for a short transaction.
-- Returns a number only. Records younger than a day cannot be deleted.
CREATE OR REPLACE FUNCTION app.prune_push_records(p_before timestamptz, p_most int) RETURNS int
  LANGUAGE sql SECURITY DEFINER SET search_path = public, pg_temp AS $$
  WITH gone AS (
    DELETE FROM push_delivery_records WHERE id IN (
      SELECT id FROM push_delivery_records WHERE claimed_at < least(p_before, now() - interval '1 day')
       ORDER BY claimed_at LIMIT p_most FOR UPDATE SKIP LOCKED) RETURNING 1)
  SELECT count(*)::int FROM gone $$;
REVOKE ALL ON FUNCTION app.prune_push_records(timestamptz, int) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION app.prune_push_records(timestamptz, int) TO :"runtime";
