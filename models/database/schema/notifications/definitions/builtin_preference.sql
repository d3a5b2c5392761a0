-- Returns whether an event is delivered on a channel ('in_app', 'email', 'push') if neither the person nor the
-- organization has chosen. Every event is delivered on every channel, except pushes for frequent events.
CREATE OR REPLACE FUNCTION app.builtin_preference(p_event text, p_way text) RETURNS boolean LANGUAGE sql IMMUTABLE AS $$
  SELECT NOT (p_way = 'push' AND p_event IN ('new_post', 'event_published')) $$;
