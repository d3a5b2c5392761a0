-- Facts of a bulletin for a notification, if the recipient can see it and has not dismissed it.
CREATE OR REPLACE FUNCTION app.bulletin_facts(p_organization uuid, p_bulletin uuid, p_recipient uuid, p_type text)
  RETURNS TABLE (facts jsonb) LANGUAGE sql STABLE AS $$
  SELECT jsonb_build_object('title', b.title, 'place', place.name)
    FROM app.undismissed_bulletins(p_organization, p_recipient) b
   CROSS JOIN LATERAL app.place_of_bulletin(p_organization, b.region_id, b.chapter_id) place
   WHERE b.id = p_bulletin $$;
