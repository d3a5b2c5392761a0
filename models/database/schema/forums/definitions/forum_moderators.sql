-- Moderators and admins of a forum, by role or by office.
CREATE OR REPLACE FUNCTION app.forum_moderators(p_organization uuid, p_forum uuid) RETURNS TABLE (user_id uuid)
  LANGUAGE sql STABLE AS $$
  SELECT m.user_id FROM forum_memberships m
   WHERE m.organization_id = p_organization AND m.forum_id = p_forum AND m.status = 'active' AND m.role <> 'member'
  UNION
  SELECT a.user_id FROM app.appointed_admins(p_organization) a
   WHERE EXISTS (SELECT FROM forums f WHERE f.organization_id = p_organization AND f.id = p_forum)
  UNION
  SELECT r.user_id FROM forums f
    LEFT JOIN chapters c ON c.organization_id = f.organization_id AND c.id = f.chapter_id
    JOIN regional_admins r ON r.organization_id = f.organization_id AND r.region_id = coalesce(f.region_id, c.region_id)
     AND r.is_active
   WHERE f.organization_id = p_organization AND f.id = p_forum $$;
