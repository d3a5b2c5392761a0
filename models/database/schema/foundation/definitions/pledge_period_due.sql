-- Returns a due period of a pledge: the last one that is due at a time, or the first one after it. Periods before p_from
-- are not considered; no row if none is due.
CREATE OR REPLACE FUNCTION app.pledge_period_due(p_timezone text, p_pledge uuid, p_anchor date, p_interval text, p_from int,
                                                 p_at timestamptz, p_future boolean)
  RETURNS TABLE (n int, due_at timestamptz) LANGUAGE sql STABLE AS $$
  SELECT g.n, d.due_at
    -- No month is skipped: the number of months since the anchor is at least the number of due periods.
    FROM generate_series(p_from, greatest(p_from,
           1 + ((extract(year FROM p_at) - extract(year FROM p_anchor)) * 12
             + extract(month FROM p_at) - extract(month FROM p_anchor))::int + 1)) AS g (n)
   CROSS JOIN LATERAL (SELECT app.pledge_due_at(p_timezone, p_pledge, app.pledge_due_on(p_anchor, p_interval, g.n))) AS d (due_at)
   WHERE (d.due_at > p_at) = p_future
   ORDER BY CASE WHEN p_future THEN g.n ELSE -g.n END LIMIT 1 $$;
