-- Converts a local time to UTC. A time that a clock change skips moves forward by the skipped duration. Of a time that
-- occurs twice the first one is used (Postgres alone would use the second). An unknown time zone counts as UTC.
CREATE OR REPLACE FUNCTION app.local_instant(p_local timestamp, p_zone text) RETURNS timestamptz
  LANGUAGE plpgsql STABLE AS $$
BEGIN
  RETURN (SELECT min(candidate) FROM (
    SELECT p_local AT TIME ZONE p_zone - step AS candidate, step
      FROM unnest(ARRAY['0', '30 minutes', '1 hour', '2 hours']::interval[]) AS step) steps
   WHERE step = '0' OR candidate AT TIME ZONE p_zone = p_local);
EXCEPTION WHEN invalid_parameter_value THEN
  RETURN p_local AT TIME ZONE 'UTC';
END $$;
