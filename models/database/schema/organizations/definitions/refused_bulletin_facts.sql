-- Facts of a bulletin that was not published, for a notification to its writers and admins. `office_of` is null for the
-- writers.
CREATE OR REPLACE FUNCTION app.refused_bulletin_facts(p_organization uuid, p_bulletin uuid, p_recipient uuid, p_type text)
  RETURNS TABLE (facts jsonb) LANGUAGE sql STABLE AS $$
  SELECT jsonb_build_object(
           'office_of', CASE WHEN p_recipient NOT IN (b.author_id, coalesce(b.decided_by, b.author_id)) THEN p_organization END,
           'title', b.title, 'place', place.name)
    FROM bulletins b CROSS JOIN LATERAL app.place_of_bulletin(b.organization_id, b.region_id, b.chapter_id) place
   WHERE b.organization_id = p_organization AND b.id = p_bulletin AND b.refusal IS NOT NULL
     AND p_recipient IN (SELECT w.user_id FROM app.bulletin_writers_and_admins(p_organization, p_bulletin) w) $$;
