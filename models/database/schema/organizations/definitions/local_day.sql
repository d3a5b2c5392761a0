-- Current date in a time zone. An unknown time zone counts as UTC.
CREATE OR REPLACE FUNCTION app.local_day(p_timezone text) RETURNS date LANGUAGE plpgsql STABLE AS $$
BEGIN
  RETURN (now() AT TIME ZONE p_timezone)::date;
EXCEPTION WHEN invalid_parameter_value THEN
  RETURN (now() AT TIME ZONE 'UTC')::date;
END $$;
