-- Current hour in a time zone, 0 to 23. An unknown time zone counts as UTC.
CREATE OR REPLACE FUNCTION app.local_hour(p_timezone text) RETURNS int LANGUAGE plpgsql STABLE AS $$
BEGIN
  RETURN extract(hour FROM now() AT TIME ZONE p_timezone);
EXCEPTION WHEN invalid_parameter_value THEN
  RETURN extract(hour FROM now() AT TIME ZONE 'UTC');
END $$;
