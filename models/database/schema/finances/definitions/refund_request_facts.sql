-- Facts of a refund request for a notification, if the recipient may see the request and the condition of the
-- notification type holds. The amount is absent if the request names none or the recipient may not see amounts. In the
-- second case the review notes are absent as well, because they may mention the amount.
CREATE OR REPLACE FUNCTION app.refund_request_facts(p_organization uuid, p_request uuid, p_recipient uuid, p_type text)
  RETURNS TABLE (facts jsonb) LANGUAGE sql STABLE AS $$
  SELECT jsonb_build_object(
           'office_of', CASE p_type WHEN 'refund_requested' THEN p_organization ELSE i.chapter_id END, 'description', i.description,
           'payer', coalesce(i.payer_name, p.first_name || ' ' || p.last_name, ch.name),
           'officer', o.first_name || ' ' || o.last_name, 'decision', r.status,
           'amount', CASE WHEN sees.amounts THEN app.money_fact(r.amount_cents, i.currency, ' of ') END,
           'notes', CASE WHEN sees.amounts AND r.review_notes IS NOT NULL
             THEN jsonb_build_object('text', ' ' || r.review_notes, 'without_amount', '') END)
    FROM refund_requests r
    JOIN chapter_invoices i ON i.organization_id = r.organization_id AND i.id = r.invoice_id
    JOIN chapters ch ON ch.organization_id = i.organization_id AND ch.id = i.chapter_id
    JOIN users o ON o.id = r.requested_by
    LEFT JOIN memberships m ON m.organization_id = i.organization_id AND m.id = i.membership_id
    LEFT JOIN users p ON p.id = m.user_id
   CROSS JOIN LATERAL app.sees_chapter(i.organization_id, i.chapter_id, p_recipient) sees
   WHERE r.organization_id = p_organization AND r.id = p_request
     AND CASE p_type
       WHEN 'refund_requested' THEN r.status = 'pending'
         AND EXISTS (SELECT FROM app.active_admins(p_organization) a WHERE a.user_id = p_recipient)
       WHEN 'refund_decided' THEN r.status IN ('approved', 'refused', 'expired') AND r.requested_by = p_recipient
         AND sees.amounts IS NOT NULL END $$;
