-- Who may decide for a chapter's region what somebody asks: its admins, never whoever asked.
CREATE OR REPLACE FUNCTION app.reviews_in_region(p_organization uuid, p_chapter uuid, p_requester uuid)
  RETURNS TABLE (user_id uuid) LANGUAGE sql STABLE AS $$
  SELECT a.user_id FROM region_reviewers a
   WHERE a.organization_id = p_organization AND a.chapter_id = p_chapter AND a.user_id <> p_requester $$;
