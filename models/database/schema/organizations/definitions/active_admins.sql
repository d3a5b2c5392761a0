-- Who administers an organization: an active office of somebody whose account is not disabled. The one rule of it, in FROM, so
-- that Postgres puts it into the statement that asks. Under row level security: of the tenant, or in an owner's function of any.
CREATE OR REPLACE FUNCTION app.active_admins(p_organization uuid) RETURNS TABLE (id uuid, user_id uuid)
  LANGUAGE sql STABLE AS $$
  SELECT a.id, a.user_id FROM organization_admins a JOIN users u ON u.id = a.user_id AND u.disabled_at IS NULL
   WHERE a.organization_id = p_organization AND a.is_active $$;
