-- Returns the time until which a person's quiet hours hold a delivery that became due at p_since; null if they do not
-- hold it. A delivery is held for at most one day, even if the quiet hours are changed meanwhile.
CREATE OR REPLACE FUNCTION app.held_until(p_user uuid, p_since timestamptz) RETURNS timestamptz
  LANGUAGE sql STABLE AS $$
  SELECT least(quiet.until, p_since + interval '24 hours') FROM (SELECT app.quiet_until(p_user, now()) AS until) quiet
   WHERE quiet.until IS NOT NULL AND p_since > now() - interval '24 hours' $$;
