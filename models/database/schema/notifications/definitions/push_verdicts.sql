-- Counts the outcomes of a push gateway's newest attempts since a time, in all organizations: attempts, different
-- people, successes and unregistered devices. Returns counts only.
CREATE OR REPLACE FUNCTION app.push_verdicts(p_platform text, p_since timestamptz, p_newest int)
  RETURNS TABLE (attempts int, people int, successes int, unregistered int)
  LANGUAGE sql STABLE SECURITY DEFINER SET search_path = public, pg_temp AS $$
  SELECT count(*)::int, count(DISTINCT t.user_id)::int, count(*) FILTER (WHERE r.outcome = 'success')::int,
         count(*) FILTER (WHERE r.outcome = 'unregistered')::int
    FROM (SELECT outcome, token_id FROM push_delivery_records
           WHERE platform = p_platform AND claimed_at > p_since
             AND outcome IN ('success', 'unregistered', 'transient_failure')
           ORDER BY claimed_at DESC LIMIT p_newest) r
    JOIN push_tokens t ON t.id = r.token_id $$;
REVOKE ALL ON FUNCTION app.push_verdicts(text, timestamptz, int) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION app.push_verdicts(text, timestamptz, int) TO :"runtime";
