-- Until when a person's quiet hours hold a delivery that is due since a time; null: they do not. At most one day,
-- however the quiet hours change meanwhile.
CREATE OR REPLACE FUNCTION app.held_until(p_user uuid, p_since timestamptz) RETURNS timestamptz
  LANGUAGE sql STABLE AS $$
  SELECT least(quiet.until, p_since + interval '24 hours') FROM (SELECT app.quiet_until(p_user, now()) AS until) quiet
   WHERE quiet.until IS NOT NULL AND p_since > now() - interval '24 hours' $$;
