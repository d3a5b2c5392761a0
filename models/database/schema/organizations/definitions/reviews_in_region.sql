-- Regional admins who may decide a request for a chapter, without the requester.
CREATE OR REPLACE FUNCTION app.reviews_in_region(p_organization uuid, p_chapter uuid, p_requester uuid)
  RETURNS TABLE (user_id uuid) LANGUAGE sql STABLE AS $$
  SELECT a.user_id FROM region_reviewers a
   WHERE a.organization_id = p_organization AND a.chapter_id = p_chapter AND a.user_id <> p_requester $$;
