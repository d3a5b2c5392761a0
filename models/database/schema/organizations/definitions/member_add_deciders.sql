-- Deciders of a request to add a member: the admins of the region while there are any, otherwise those of the
-- organization; never the requester.
CREATE OR REPLACE FUNCTION app.member_add_deciders(p_organization uuid, p_request uuid) RETURNS TABLE (user_id uuid)
  LANGUAGE sql STABLE AS $$
  SELECT who.user_id FROM member_add_requests r CROSS JOIN LATERAL (
    SELECT region.user_id FROM app.reviews_in_region(r.organization_id, r.chapter_id, r.requested_by) region
     WHERE r.status = 'pending_regional'
    UNION
    SELECT a.user_id FROM app.appointed_admins(r.organization_id) a
     WHERE a.user_id <> r.requested_by
       AND (r.status = 'pending_organization' OR r.status = 'pending_regional'
         AND NOT EXISTS (SELECT FROM app.reviews_in_region(r.organization_id, r.chapter_id, r.requested_by)))) who
   WHERE r.organization_id = p_organization AND r.id = p_request $$;
