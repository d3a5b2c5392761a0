-- Day on which period n of a pledge is due: n intervals after the anchor. In a month without the anchor's day it is the
-- last day of that month; later periods return to the anchor's day, because each is computed from the anchor.
CREATE OR REPLACE FUNCTION app.pledge_due_on(p_anchor date, p_interval text, p_n int) RETURNS date
  LANGUAGE sql IMMUTABLE AS $$
  SELECT (p_anchor + make_interval(months => p_n * CASE p_interval WHEN 'monthly' THEN 1 WHEN 'quarterly' THEN 3
                                                                   WHEN 'annually' THEN 12 END))::date $$;
