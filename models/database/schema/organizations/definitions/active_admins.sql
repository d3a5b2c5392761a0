-- Admins of an organization: active rows of users whose accounts are enabled. The one rule, used in FROM so that
-- Postgres inlines it. Under row level security it sees the tenant; in an owner's function any organization.
CREATE OR REPLACE FUNCTION app.active_admins(p_organization uuid) RETURNS TABLE (id uuid, user_id uuid)
  LANGUAGE sql STABLE AS $$
  SELECT a.id, a.user_id FROM organization_admins a JOIN users u ON u.id = a.user_id AND u.disabled_at IS NULL
   WHERE a.organization_id = p_organization AND a.is_active $$;
