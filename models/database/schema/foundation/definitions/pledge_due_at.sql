-- Time at which a pledge is due on a day: 09:00 in the foundation's time zone, plus a share of two hours that is always
-- the same for a pledge, so that not all pledges are charged at once. An unknown time zone counts as UTC.
CREATE OR REPLACE FUNCTION app.pledge_due_at(p_timezone text, p_pledge uuid, p_day date) RETURNS timestamptz
  LANGUAGE sql STABLE AS $$
  SELECT app.local_instant(p_day + time '09:00', p_timezone)
         + make_interval(secs => ('x' || left(md5(p_pledge::text), 7))::bit(28)::int % 7200) $$;
