-- Recipients of a notification to a region: members of its chapters whose membership gives access, and its active
-- administrators, each once.
CREATE OR REPLACE FUNCTION app.people_of_region(p_organization uuid, p_audience uuid) RETURNS TABLE (user_id uuid)
  LANGUAGE sql STABLE AS $$
  SELECT m.user_id FROM memberships m
    JOIN chapters c ON c.organization_id = m.organization_id AND c.id = m.chapter_id
    JOIN users u ON u.id = m.user_id AND u.placeholder_in IS NULL
   WHERE m.organization_id = p_organization AND c.region_id = p_audience AND app.gives_access(m.status)
  UNION
  SELECT r.user_id FROM regional_admins r JOIN users u ON u.id = r.user_id AND u.placeholder_in IS NULL
   WHERE r.organization_id = p_organization AND r.region_id = p_audience AND r.is_active $$;
