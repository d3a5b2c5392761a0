-- Tax year of a gift: the year of the given time in the foundation's time zone. An unknown time zone counts as UTC.
CREATE OR REPLACE FUNCTION app.tax_year(p_timezone text, p_at timestamptz) RETURNS int LANGUAGE sql STABLE AS $$
  SELECT extract(year FROM app.local_day_of(p_timezone, p_at))::int $$;
