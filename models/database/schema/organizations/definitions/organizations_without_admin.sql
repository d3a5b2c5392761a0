-- Organizations without an active admin, for platform admins.
CREATE OR REPLACE FUNCTION app.organizations_without_admin() RETURNS SETOF uuid
  LANGUAGE sql STABLE SECURITY DEFINER SET search_path = public, pg_temp AS $$
  SELECT o.id FROM organizations o WHERE NOT EXISTS (SELECT FROM app.active_admins(o.id)) $$;
REVOKE ALL ON FUNCTION app.organizations_without_admin() FROM PUBLIC;
GRANT EXECUTE ON FUNCTION app.organizations_without_admin() TO :"runtime";
