-- Who may decide for a chapter what one of its members asks: its officers, never whoever asked.
CREATE OR REPLACE FUNCTION app.leaders_beside(p_organization uuid, p_chapter uuid, p_requester uuid)
  RETURNS TABLE (user_id uuid) LANGUAGE sql STABLE AS $$
  SELECT m.user_id FROM memberships m
    JOIN users u ON u.id = m.user_id AND u.disabled_at IS NULL
   WHERE m.organization_id = p_organization AND m.chapter_id = p_chapter AND m.user_id <> p_requester
     AND app.leads_chapter(m.role, m.status) $$;
