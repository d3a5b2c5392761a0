-- First instant of a day in a time zone, which is not always 00:00. An unknown time zone counts as UTC.
CREATE OR REPLACE FUNCTION app.day_begins(p_timezone text, p_day date) RETURNS timestamptz LANGUAGE plpgsql STABLE AS $$
DECLARE begins timestamptz;
BEGIN
  begins := p_day::timestamp AT TIME ZONE p_timezone;
  IF ((begins - interval '1 hour') AT TIME ZONE p_timezone)::date = p_day THEN RETURN begins - interval '1 hour'; END IF;
  RETURN begins;
EXCEPTION WHEN invalid_parameter_value THEN
  RETURN p_day::timestamp AT TIME ZONE 'UTC';
END $$;
