-- Active administrators of an organization: active rows of users whose accounts are enabled. Every query that needs
-- them uses this function, in FROM so that Postgres inlines it. In an ordinary query, row level security limits it to
-- the current tenant; in a SECURITY DEFINER function it works for any organization.
CREATE OR REPLACE FUNCTION app.active_admins(p_organization uuid) RETURNS TABLE (id uuid, user_id uuid)
  LANGUAGE sql STABLE AS $$
  SELECT a.id, a.user_id FROM organization_admins a JOIN users u ON u.id = a.user_id AND u.disabled_at IS NULL
   WHERE a.organization_id = p_organization AND a.is_active $$;
