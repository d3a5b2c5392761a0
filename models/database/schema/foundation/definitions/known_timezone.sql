-- Returns the given time zone if Postgres knows it, otherwise 'UTC'.
CREATE OR REPLACE FUNCTION app.known_timezone(p_timezone text) RETURNS text LANGUAGE plpgsql STABLE AS $$
BEGIN
  PERFORM timezone(p_timezone, now());
  RETURN p_timezone;
EXCEPTION WHEN invalid_parameter_value THEN
  RETURN 'UTC';
END $$;
