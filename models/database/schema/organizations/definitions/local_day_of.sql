-- Date of an instant in a time zone. An unknown time zone counts as UTC.
CREATE OR REPLACE FUNCTION app.local_day_of(p_timezone text, p_at timestamptz) RETURNS date LANGUAGE plpgsql STABLE AS $$
BEGIN
  RETURN (p_at AT TIME ZONE p_timezone)::date;
EXCEPTION WHEN invalid_parameter_value THEN
  RETURN (p_at AT TIME ZONE 'UTC')::date;
END $$;
