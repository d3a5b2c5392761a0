-- Officers, other than the requester, who may decide a member's request for a chapter.
CREATE OR REPLACE FUNCTION app.other_chapter_leaders(p_organization uuid, p_chapter uuid, p_requester uuid)
  RETURNS TABLE (user_id uuid) LANGUAGE sql STABLE AS $$
  SELECT l.user_id FROM officers_in_standing l
   WHERE l.organization_id = p_organization AND l.chapter_id = p_chapter AND l.user_id <> p_requester $$;
