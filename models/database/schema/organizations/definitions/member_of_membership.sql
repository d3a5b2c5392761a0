-- Member of a membership. A placeholder is left out: the person receives an invitation instead.
CREATE OR REPLACE FUNCTION app.member_of_membership(p_organization uuid, p_membership uuid) RETURNS TABLE (user_id uuid)
  LANGUAGE sql STABLE AS $$
  SELECT m.user_id FROM memberships m JOIN users u ON u.id = m.user_id AND u.placeholder_in IS NULL
   WHERE m.organization_id = p_organization AND m.id = p_membership $$;
