-- What waits for a decision, of whatever kind, and who decides: `tier` is officer for those of the chapter, regional for admins
-- of its region, else organization. Who asks reads the rows under their own tenant. A kind of request that comes has a SELECT here.
CREATE OR REPLACE VIEW waiting_approvals WITH (security_invoker = true) AS
  SELECT r.organization_id, 'account'::text AS kind, r.id, r.chapter_id, 'organization'::text AS tier,
         NULL::uuid AS requested_by, r.verified_at AS since, false AS shown_in_chapter
    FROM account_requests r WHERE r.status = 'pending'
  UNION ALL
  SELECT r.organization_id, 'member_add', r.id, r.chapter_id,
         CASE WHEN r.status = 'pending_regional'
                   AND EXISTS (SELECT FROM app.reviews_in_region(r.organization_id, r.chapter_id, r.requested_by))
              THEN 'regional' ELSE 'organization' END,
         r.requested_by, coalesce(r.first_reviewed_at, r.created_at), true
    FROM member_add_requests r WHERE r.status IN ('pending_regional', 'pending_organization')
  UNION ALL
  SELECT r.organization_id, 'status_change', r.id, r.chapter_id,
         CASE WHEN r.status = 'pending_officer'
                   AND EXISTS (SELECT FROM app.leaders_beside(r.organization_id, r.chapter_id, r.requested_by))
              THEN 'officer' ELSE 'organization' END,
         r.requested_by, coalesce(r.first_reviewed_at, r.created_at), true
    FROM status_change_requests r WHERE r.status IN ('pending_officer', 'pending_organization')
  UNION ALL
  -- in the chapter that is to take them in
  SELECT r.organization_id, 'transfer', r.id, r.to_chapter_id,
         CASE WHEN r.status = 'pending_destination'
                   AND EXISTS (SELECT FROM app.leaders_beside(r.organization_id, r.to_chapter_id, r.requested_by))
              THEN 'officer' ELSE 'organization' END,
         r.requested_by, coalesce(r.first_reviewed_at, r.created_at), true
    FROM transfer_requests r WHERE r.status IN ('pending_destination', 'pending_organization')
  UNION ALL
  SELECT r.organization_id, 'hand_over', r.id, r.chapter_id,
         CASE WHEN EXISTS (SELECT FROM app.reviews_in_region(r.organization_id, r.chapter_id, r.requested_by))
              THEN 'regional' ELSE 'organization' END,
         r.requested_by, r.created_at, true
    FROM hand_over_requests r WHERE r.status = 'pending'
  UNION ALL
  SELECT a.organization_id, 'pnm_name', a.id, a.chapter_id, 'organization', a.requested_by, a.created_at, true
    FROM pnm_name_assignments a WHERE a.status = 'proposed';
GRANT SELECT ON waiting_approvals TO :"runtime";
