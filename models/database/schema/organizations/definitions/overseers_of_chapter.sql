-- People responsible for a chapter's offices: the admins of its region, or, if it has none, those of the organization.
CREATE OR REPLACE FUNCTION app.overseers_of_chapter(p_organization uuid, p_chapter uuid) RETURNS TABLE (user_id uuid)
  LANGUAGE sql STABLE AS $$
  WITH regional AS (
    SELECT a.user_id FROM chapters c
      JOIN regional_admins a ON a.organization_id = c.organization_id AND a.region_id = c.region_id AND a.is_active
     WHERE c.organization_id = p_organization AND c.id = p_chapter)
  SELECT r.user_id FROM regional r
  UNION
  SELECT a.user_id FROM app.appointed_admins(p_organization) a WHERE NOT EXISTS (SELECT FROM regional) $$;
