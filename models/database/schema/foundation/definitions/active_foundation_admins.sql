-- Admins of an organization's foundation who may sign in to the organization: their accounts are enabled, and they have
-- an office or a membership that gives access. All queries use this function, in FROM so that Postgres inlines it.
CREATE OR REPLACE FUNCTION app.active_foundation_admins(p_organization uuid) RETURNS TABLE (id uuid, user_id uuid)
  LANGUAGE sql STABLE AS $$
  SELECT a.id, a.user_id FROM foundation_admins a JOIN users u ON u.id = a.user_id AND u.disabled_at IS NULL
   WHERE a.organization_id = p_organization AND a.role = 'admin'
     AND EXISTS (SELECT FROM affiliations f WHERE f.user_id = a.user_id AND f.organization_id = a.organization_id) $$;
