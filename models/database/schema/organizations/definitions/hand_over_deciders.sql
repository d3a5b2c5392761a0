-- People who decide a request to hand over an office: those responsible for the chapter's offices. If no regional admin
-- other than the requester may decide, the organization's admins decide as well. The requester never decides.
CREATE OR REPLACE FUNCTION app.hand_over_deciders(p_organization uuid, p_request uuid) RETURNS TABLE (user_id uuid)
  LANGUAGE sql STABLE AS $$
  SELECT who.user_id FROM hand_over_requests r CROSS JOIN LATERAL (
    SELECT o.user_id FROM app.overseers_of_chapter(r.organization_id, r.chapter_id) o WHERE o.user_id <> r.requested_by
    UNION
    SELECT a.user_id FROM app.appointed_admins(r.organization_id) a
     WHERE a.user_id <> r.requested_by
       AND NOT EXISTS (SELECT FROM app.reviews_in_region(r.organization_id, r.chapter_id, r.requested_by))) who
   WHERE r.organization_id = p_organization AND r.id = p_request $$;
