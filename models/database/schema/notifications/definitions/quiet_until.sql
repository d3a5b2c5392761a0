-- Returns the end of a person's current quiet hours, at most one day ahead, or null outside of them. A window that ends
-- before it begins spans midnight.
CREATE OR REPLACE FUNCTION app.quiet_until(p_user uuid, p_now timestamptz) RETURNS timestamptz
  LANGUAGE sql STABLE AS $$
  SELECT min(least(ends_at, p_now + interval '24 hours'))
    FROM user_quiet_hours q
    CROSS JOIN generate_series(-1, 0) AS day (ago)
    CROSS JOIN LATERAL (SELECT app.local_day_of(q.timezone, p_now) + day.ago AS on_day) d
    CROSS JOIN LATERAL (SELECT
      app.local_instant(d.on_day + q.start_time, q.timezone) AS begins_at,
      app.local_instant(d.on_day + CASE WHEN q.end_time < q.start_time THEN 1 ELSE 0 END + q.end_time, q.timezone) AS ends_at) w
   WHERE q.user_id = p_user AND q.enabled AND w.begins_at <= p_now AND p_now < w.ends_at $$;
