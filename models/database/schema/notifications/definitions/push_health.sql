-- Push outcomes since a time, of all organizations. Returns counts only.
CREATE OR REPLACE FUNCTION app.push_health(p_since timestamptz) RETURNS TABLE (platform text, outcome text, count int)
  LANGUAGE sql STABLE SECURITY DEFINER SET search_path = public, pg_temp AS $$
  SELECT r.platform, r.outcome, count(*)::int FROM push_delivery_records r
   WHERE r.platform IN ('ios', 'android') AND r.claimed_at >= p_since AND r.outcome IS NOT NULL
   GROUP BY r.platform, r.outcome $$;
REVOKE ALL ON FUNCTION app.push_health(timestamptz) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION app.push_health(timestamptz) TO :"runtime";
