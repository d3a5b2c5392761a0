CREATE OR REPLACE FUNCTION app.may_impersonate(p_actor uuid) RETURNS boolean LANGUAGE sql STABLE AS $$
  SELECT EXISTS (SELECT FROM organization_admins a JOIN users u ON u.id = a.user_id
                  WHERE a.organization_id = app.org_id() AND a.user_id = p_actor AND a.is_active
                    AND u.disabled_at IS NULL) $$;
