-- Facts of a payment plan request for a notification, if the recipient may see it and the type's condition holds. They
-- contain no amounts.
CREATE OR REPLACE FUNCTION app.plan_request_facts(p_organization uuid, p_request uuid, p_recipient uuid, p_type text)
  RETURNS TABLE (facts jsonb) LANGUAGE sql STABLE AS $$
  SELECT jsonb_build_object('office_of', sees.office_of, 'description', i.description,
           'payer', coalesce(i.payer_name, p.first_name || ' ' || p.last_name),
           'by', q.first_name || ' ' || q.last_name, 'decision', r.status, 'rows', jsonb_array_length(r.schedule),
           'freeze_ends', to_char(r.freeze_anchor + 2, 'YYYY-MM-DD') || ' (' || o.timezone || ')',
           'notes', CASE WHEN r.review_notes IS NOT NULL AND m.user_id = p_recipient THEN ' ' || r.review_notes END)
    FROM payment_plan_requests r
    JOIN chapter_invoices i ON i.organization_id = r.organization_id AND i.id = r.invoice_id
    JOIN users q ON q.id = r.requested_by
    JOIN organizations o ON o.id = r.organization_id
    JOIN memberships m ON m.organization_id = r.organization_id AND m.id = r.membership_id
    JOIN users p ON p.id = m.user_id
   CROSS JOIN LATERAL app.sees_plan(r.organization_id, r.chapter_id, r.requested_by, m.user_id, p_recipient) sees
   WHERE r.organization_id = p_organization AND r.id = p_request
     AND CASE
       WHEN p_type IN ('plan_requested', 'plan_freeze_ends_soon') THEN r.status = 'pending'
         AND p_recipient IN (SELECT v.user_id FROM app.plan_reviewers(p_organization, p_request) v)
       WHEN p_type = 'plan_freeze_over' THEN r.status = 'pending'
         AND (sees.is_party OR p_recipient IN (SELECT v.user_id FROM app.plan_reviewers(p_organization, p_request) v))
       WHEN p_type = 'plan_decided' THEN r.status IN ('approved', 'refused', 'lapsed') AND sees.is_party END $$;
