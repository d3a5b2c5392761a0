-- Users who may resolve a remittance: the chapter's officers including its president, or the organization's admins if
-- the chapter has no officers.
CREATE OR REPLACE FUNCTION app.remittance_resolvers(p_organization uuid, p_remittance uuid) RETURNS TABLE (user_id uuid)
  LANGUAGE sql STABLE AS $$
  WITH officers AS (
    SELECT m.user_id FROM chapter_remittances r
      JOIN memberships m ON m.organization_id = r.organization_id AND m.chapter_id = r.chapter_id
       AND app.leads_chapter(m.role, m.status)
      JOIN users u ON u.id = m.user_id AND u.placeholder_in IS NULL AND u.disabled_at IS NULL
     WHERE r.organization_id = p_organization AND r.id = p_remittance)
  SELECT officers.user_id FROM officers
  UNION ALL
  SELECT a.user_id FROM app.active_admins(p_organization) a WHERE NOT EXISTS (SELECT FROM officers) $$;
