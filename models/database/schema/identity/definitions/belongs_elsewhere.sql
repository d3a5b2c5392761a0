-- Whether a person is, was or may become a member or admin of an organization other than p_organization. If so, an
-- admin of p_organization cannot set the person's password.
CREATE OR REPLACE FUNCTION app.belongs_elsewhere(p_user uuid, p_organization uuid) RETURNS boolean
  LANGUAGE sql STABLE SECURITY DEFINER SET search_path = public, pg_temp AS $$
  SELECT EXISTS (SELECT FROM memberships WHERE user_id = p_user AND organization_id <> p_organization)
      OR EXISTS (SELECT FROM organization_admins WHERE user_id = p_user AND organization_id <> p_organization)
      OR EXISTS (SELECT FROM regional_admins WHERE user_id = p_user AND organization_id <> p_organization) $$;
REVOKE ALL ON FUNCTION app.belongs_elsewhere(uuid, uuid) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION app.belongs_elsewhere(uuid, uuid) TO :"runtime";
