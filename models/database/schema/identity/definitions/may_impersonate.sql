CREATE OR REPLACE FUNCTION app.may_impersonate(p_actor uuid) RETURNS boolean LANGUAGE sql STABLE AS $$
  SELECT EXISTS (SELECT FROM app.active_admins(app.org_id()) WHERE user_id = p_actor) $$;
