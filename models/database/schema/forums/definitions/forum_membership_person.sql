-- The person who was invited to a forum, or requested to join it.
CREATE OR REPLACE FUNCTION app.forum_membership_person(p_organization uuid, p_membership uuid) RETURNS TABLE (user_id uuid)
  LANGUAGE sql STABLE AS $$
  SELECT m.user_id FROM forum_memberships m WHERE m.organization_id = p_organization AND m.id = p_membership $$;
