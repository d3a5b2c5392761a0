-- Name of the member to whom a membership belongs; no row if the membership does not exist.
CREATE OR REPLACE FUNCTION app.name_of_member(p_organization uuid, p_membership uuid) RETURNS TABLE (name text)
  LANGUAGE sql STABLE AS $$
  SELECT u.first_name || ' ' || u.last_name FROM memberships m JOIN users u ON u.id = m.user_id
   WHERE m.organization_id = p_organization AND m.id = p_membership $$;
