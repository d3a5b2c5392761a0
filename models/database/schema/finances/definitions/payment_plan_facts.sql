-- Facts of a cancelled payment plan for a notification to its parties. The cancel reason may name an amount, so only
-- the member reads it.
CREATE OR REPLACE FUNCTION app.payment_plan_facts(p_organization uuid, p_plan uuid, p_recipient uuid, p_type text)
  RETURNS TABLE (facts jsonb) LANGUAGE sql STABLE AS $$
  SELECT jsonb_build_object('office_of', sees.office_of, 'description', i.description,
           'reason', CASE WHEN m.user_id = p_recipient THEN ': ' || rtrim(p.cancel_reason, '. ') END,
           'left', CASE WHEN i.status = 'void' THEN ' The invoice is void: nothing is due on it.'
                        WHEN i.balance_due_cents > 0 THEN to_char(i.due_date, '" The balance is due on "YYYY-MM-DD"."') END)
    FROM payment_plans p JOIN chapter_invoices i ON i.organization_id = p.organization_id AND i.id = p.invoice_id
    JOIN payment_plan_requests r ON r.organization_id = p.organization_id AND r.id = p.request_id
    JOIN memberships m ON m.organization_id = p.organization_id AND m.id = p.membership_id
   CROSS JOIN LATERAL app.sees_plan(r.organization_id, r.chapter_id, r.requested_by, m.user_id, p_recipient) sees
   WHERE p.organization_id = p_organization AND p.id = p_plan AND p.status = 'cancelled' AND sees.is_party $$;
