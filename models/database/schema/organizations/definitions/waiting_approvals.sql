-- Requests that wait for a decision, and who decides them. `tier` is officer for the chapter's officers, regional for
-- the admins of its region, regional_or_organization for the admins of its region or of the organization, and
-- organization for the admins of the organization. Readers see rows of their tenant. Each kind of request has a SELECT
-- here. The people who can decide are computed once for all requests, excluding the requester of each. `title` contains
-- no amounts. `expires_at` is when a refund request expires, or when the dunning freeze of a plan request ends.
CREATE OR REPLACE VIEW waiting_approvals WITH (security_invoker = true) AS
  SELECT r.organization_id, 'account'::text AS kind, r.id, r.chapter_id, 'organization'::text AS tier,
         NULL::uuid AS requested_by, r.verified_at AS since, false AS shown_in_chapter,
         'Account for ' || r.first_name || ' ' || r.last_name AS title,
         NULL::timestamptz AS expires_at
    FROM account_requests r WHERE r.status = 'pending'
  UNION ALL
  SELECT r.organization_id, 'member_add', r.id, r.chapter_id,
         CASE WHEN r.status = 'pending_regional' AND r.requested_by <> ANY (near.people) THEN 'regional' ELSE 'organization' END,
         r.requested_by, coalesce(r.first_reviewed_at, r.created_at), true,
         'New member ' || r.first_name || ' ' || r.last_name,
         NULL
    FROM member_add_requests r
      LEFT JOIN (SELECT organization_id, chapter_id, array_agg(user_id) AS people FROM region_reviewers GROUP BY 1, 2) near
        ON near.organization_id = r.organization_id AND near.chapter_id = r.chapter_id
   WHERE r.status IN ('pending_regional', 'pending_organization')
  UNION ALL
  SELECT r.organization_id, 'status_change', r.id, r.chapter_id,
         CASE WHEN r.status = 'pending_officer' AND r.requested_by <> ANY (near.people) THEN 'officer' ELSE 'organization' END,
         r.requested_by, coalesce(r.first_reviewed_at, r.created_at), true,
         (SELECT 'Status of ' || n.name || ': ' || replace(r.from_status || ' to ' || r.to_status, '_', ' ')
            FROM app.name_of_member(r.organization_id, r.membership_id) n),
         NULL
    FROM status_change_requests r
      LEFT JOIN (SELECT organization_id, chapter_id, array_agg(user_id) AS people FROM officers_in_standing GROUP BY 1, 2) near
        ON near.organization_id = r.organization_id AND near.chapter_id = r.chapter_id
   WHERE r.status IN ('pending_officer', 'pending_organization')
  UNION ALL
  -- A transfer belongs to its destination chapter, whose officers decide first
  SELECT r.organization_id, 'transfer', r.id, r.to_chapter_id,
         CASE WHEN r.status = 'pending_destination' AND r.requested_by <> ANY (near.people) THEN 'officer' ELSE 'organization' END,
         r.requested_by, coalesce(r.first_reviewed_at, r.created_at), true,
         (SELECT 'Transfer of ' || n.name || ' from ' || old.name || ' to ' || new.name
            FROM app.name_of_member(r.organization_id, r.membership_id) n, chapters old, chapters new
           WHERE old.organization_id = r.organization_id AND old.id = r.chapter_id
             AND new.organization_id = r.organization_id AND new.id = r.to_chapter_id),
         NULL
    FROM transfer_requests r
      LEFT JOIN (SELECT organization_id, chapter_id, array_agg(user_id) AS people FROM officers_in_standing GROUP BY 1, 2) near
        ON near.organization_id = r.organization_id AND near.chapter_id = r.to_chapter_id
   WHERE r.status IN ('pending_destination', 'pending_organization')
  UNION ALL
  SELECT r.organization_id, 'hand_over', r.id, r.chapter_id,
         CASE WHEN r.requested_by <> ANY (near.people) THEN 'regional' ELSE 'organization' END,
         r.requested_by, r.created_at, true,
         (SELECT 'Hand-over of the office ' || app.position_in_words(t.position, t.title) || ' to ' || n.name
            FROM app.name_of_member(r.organization_id, r.successor_id) n, officer_terms t
           WHERE t.organization_id = r.organization_id AND t.id = r.term_id),
         NULL
    FROM hand_over_requests r
      LEFT JOIN (SELECT organization_id, chapter_id, array_agg(user_id) AS people FROM region_reviewers GROUP BY 1, 2) near
        ON near.organization_id = r.organization_id AND near.chapter_id = r.chapter_id
   WHERE r.status = 'pending'
  UNION ALL
  SELECT a.organization_id, 'pnm_name', a.id, a.chapter_id, 'organization', a.requested_by, a.created_at, true,
         (SELECT 'Name ' || a.name || ' for ' || n.name
            FROM pnm_profiles p CROSS JOIN LATERAL app.name_of_member(p.organization_id, p.membership_id) n
           WHERE p.organization_id = a.organization_id AND p.id = a.profile_id),
         NULL
    FROM pnm_name_assignments a WHERE a.status = 'proposed'
  UNION ALL
  SELECT r.organization_id, 'refund', r.id, i.chapter_id, 'organization', r.requested_by, r.created_at, true,
         (SELECT 'Refund to ' || coalesce(i.payer_name, p.name, c.name) || ': ' || i.description
            FROM chapters c LEFT JOIN app.name_of_member(i.organization_id, i.membership_id) p ON true
           WHERE c.organization_id = i.organization_id AND c.id = i.chapter_id),
         app.refund_request_expires_at(r.created_at)
    FROM refund_requests r JOIN chapter_invoices i ON i.organization_id = r.organization_id AND i.id = r.invoice_id
   WHERE r.status = 'pending'
  UNION ALL
  -- An officer who filed the request for a member may decide it, but that member may not. The view therefore treats the
  -- member as the requester.
  SELECT r.organization_id, 'plan', r.id, r.chapter_id,
         CASE WHEN s.plan_regional_approval AND m.user_id <> ANY (near.people) THEN 'regional_or_organization' ELSE 'organization' END,
         m.user_id, r.created_at, true,
         (SELECT 'Payment plan of ' || coalesce(i.payer_name, n.name) || ': ' || i.description
            FROM chapter_invoices i CROSS JOIN app.name_of_member(r.organization_id, r.membership_id) n
           WHERE i.organization_id = r.organization_id AND i.id = r.invoice_id),
         (SELECT app.day_begins(o.timezone, r.freeze_anchor + 3) FROM organizations o WHERE o.id = r.organization_id)
    FROM payment_plan_requests r
      JOIN memberships m ON m.organization_id = r.organization_id AND m.id = r.membership_id
      LEFT JOIN org_dues_settings s ON s.organization_id = r.organization_id
      LEFT JOIN (SELECT organization_id, chapter_id, array_agg(user_id) AS people FROM region_reviewers GROUP BY 1, 2) near
        ON near.organization_id = r.organization_id AND near.chapter_id = r.chapter_id
   WHERE r.status = 'pending';
GRANT SELECT ON waiting_approvals TO :"runtime";
