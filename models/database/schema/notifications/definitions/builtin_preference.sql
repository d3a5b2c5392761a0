-- Whether somebody hears of an event by a way ('in_app', 'email', 'push') when neither they nor their organization say
-- otherwise: of what is written all day the phone does not ring.
CREATE OR REPLACE FUNCTION app.builtin_preference(p_event text, p_way text) RETURNS boolean LANGUAGE sql IMMUTABLE AS $$
  SELECT NOT (p_way = 'push' AND p_event IN ('new_post', 'event_published')) $$;
