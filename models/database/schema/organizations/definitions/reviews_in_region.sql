-- Who may decide for a chapter's region what somebody asks: its active admins, never whoever asked.
CREATE OR REPLACE FUNCTION app.reviews_in_region(p_organization uuid, p_chapter uuid, p_requester uuid)
  RETURNS TABLE (user_id uuid) LANGUAGE sql STABLE AS $$
  SELECT a.user_id FROM chapters c
    JOIN regional_admins a ON a.organization_id = c.organization_id AND a.region_id = c.region_id AND a.is_active
    JOIN users u ON u.id = a.user_id AND u.disabled_at IS NULL
   WHERE c.organization_id = p_organization AND c.id = p_chapter AND a.user_id <> p_requester $$;
