-- People who decide a transfer request: officers of the new chapter other than the requester, or, if there are none,
-- the organization's admins.
CREATE OR REPLACE FUNCTION app.transfer_deciders(p_organization uuid, p_request uuid) RETURNS TABLE (user_id uuid)
  LANGUAGE sql STABLE AS $$
  SELECT who.user_id FROM transfer_requests r CROSS JOIN LATERAL (
    SELECT leader.user_id FROM app.other_chapter_leaders(r.organization_id, r.to_chapter_id, r.requested_by) leader
     WHERE r.status = 'pending_destination'
    UNION
    SELECT a.user_id FROM app.appointed_admins(r.organization_id) a
     WHERE a.user_id <> r.requested_by
       AND (r.status = 'pending_organization' OR r.status = 'pending_destination'
         AND NOT EXISTS (SELECT FROM app.other_chapter_leaders(r.organization_id, r.to_chapter_id, r.requested_by)))) who
   WHERE r.organization_id = p_organization AND r.id = p_request $$;
