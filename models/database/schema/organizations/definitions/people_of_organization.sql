-- Recipients of a notification to an organization: people with access to it, each once.
CREATE OR REPLACE FUNCTION app.people_of_organization(p_organization uuid, p_audience uuid) RETURNS TABLE (user_id uuid)
  LANGUAGE sql STABLE AS $$
  SELECT DISTINCT f.user_id FROM affiliations f WHERE f.organization_id = p_organization $$;
