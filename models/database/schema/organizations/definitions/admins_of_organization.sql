-- Recipients of a notification to all admins of an organization.
CREATE OR REPLACE FUNCTION app.admins_of_organization(p_organization uuid, p_audience uuid) RETURNS TABLE (user_id uuid)
  LANGUAGE sql STABLE AS $$
  SELECT a.user_id FROM app.active_admins(p_organization) a $$;
