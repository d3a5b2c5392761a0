-- Until when somebody's quiet hours hold what was there since a moment; null: they do not. However they change the hours
-- meanwhile, nothing waits for more than a day.
CREATE OR REPLACE FUNCTION app.held_until(p_user uuid, p_since timestamptz) RETURNS timestamptz
  LANGUAGE sql STABLE AS $$
  SELECT least(quiet.until, p_since + interval '24 hours') FROM (SELECT app.quiet_until(p_user, now()) AS until) quiet
   WHERE quiet.until IS NOT NULL AND p_since > now() - interval '24 hours' $$;
