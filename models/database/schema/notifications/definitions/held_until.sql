-- Returns until when a person's quiet hours hold a delivery that is due since a time; null if they do not hold it. The
-- hold lasts at most one day, even if the quiet hours change in the meantime.
CREATE OR REPLACE FUNCTION app.held_until(p_user uuid, p_since timestamptz) RETURNS timestamptz
  LANGUAGE sql STABLE AS $$
  SELECT least(quiet.until, p_since + interval '24 hours') FROM (SELECT app.quiet_until(p_user, now()) AS until) quiet
   WHERE quiet.until IS NOT NULL AND p_since > now() - interval '24 hours' $$;
