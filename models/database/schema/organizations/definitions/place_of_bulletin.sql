-- Name of the chapter, region or organization that a bulletin is for.
CREATE OR REPLACE FUNCTION app.place_of_bulletin(p_organization uuid, p_region uuid, p_chapter uuid)
  RETURNS TABLE (name text) LANGUAGE sql STABLE AS $$
  SELECT coalesce(c.name, r.name, o.name) FROM organizations o
    LEFT JOIN chapters c ON c.organization_id = o.id AND c.id = p_chapter
    LEFT JOIN regions r ON r.organization_id = o.id AND r.id = p_region
   WHERE o.id = p_organization $$;
