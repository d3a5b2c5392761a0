-- The hour of a zone's own clock, 0 to 23. A zone that Postgres does not know counts as UTC.
CREATE OR REPLACE FUNCTION app.local_hour(p_timezone text) RETURNS int LANGUAGE plpgsql STABLE AS $$
BEGIN
  RETURN extract(hour FROM now() AT TIME ZONE p_timezone);
EXCEPTION WHEN invalid_parameter_value THEN
  RETURN extract(hour FROM now() AT TIME ZONE 'UTC');
END $$;
