-- Default of a channel ('in_app', 'email', 'push') for an event, when neither the person nor the organization has
-- chosen: frequent events cause no push.
CREATE OR REPLACE FUNCTION app.builtin_preference(p_event text, p_way text) RETURNS boolean LANGUAGE sql IMMUTABLE AS $$
  SELECT NOT (p_way = 'push' AND p_event IN ('new_post', 'event_published')) $$;
