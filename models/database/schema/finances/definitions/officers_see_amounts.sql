-- Whether officers of an organization see amounts; they do until the organization switches it off.
CREATE OR REPLACE FUNCTION app.officers_see_amounts(p_organization uuid) RETURNS boolean LANGUAGE sql STABLE AS $$
  SELECT coalesce((SELECT s.officers_see_amounts FROM org_dues_settings s WHERE s.organization_id = p_organization), true) $$;
