-- Admins of an organization, also those whose accounts are disabled: their notifications are recorded and not delivered.
CREATE OR REPLACE FUNCTION app.appointed_admins(p_organization uuid) RETURNS TABLE (user_id uuid) LANGUAGE sql STABLE AS $$
  SELECT a.user_id FROM organization_admins a WHERE a.organization_id = p_organization AND a.is_active $$;
