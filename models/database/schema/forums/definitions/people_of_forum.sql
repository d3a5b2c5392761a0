-- Returns candidates: everybody who sees a forum, and possibly others. They are its members, holders of an office over it,
-- and everybody in the scope of an open one. The caller checks each with `app.forum_role`.
CREATE OR REPLACE FUNCTION app.people_of_forum(p_organization uuid, p_forum uuid) RETURNS TABLE (user_id uuid)
  LANGUAGE sql STABLE AS $$
  SELECT m.user_id FROM forum_memberships m
   WHERE m.organization_id = p_organization AND m.forum_id = p_forum AND m.status = 'active'
  UNION
  SELECT o.user_id FROM app.forum_moderators(p_organization, p_forum) o
  UNION
  SELECT m.user_id FROM forums f
    JOIN memberships m ON m.organization_id = f.organization_id AND (f.chapter_id IS NULL OR m.chapter_id = f.chapter_id)
     AND app.gives_access(m.status)
    JOIN chapters c ON c.organization_id = m.organization_id AND c.id = m.chapter_id
     AND (f.region_id IS NULL OR c.region_id = f.region_id)
   WHERE f.organization_id = p_organization AND f.id = p_forum AND f.visibility = 'open'
  UNION
  SELECT r.user_id FROM forums f
    JOIN regional_admins r ON r.organization_id = f.organization_id AND r.is_active
   WHERE f.organization_id = p_organization AND f.id = p_forum AND f.visibility = 'open' $$;
