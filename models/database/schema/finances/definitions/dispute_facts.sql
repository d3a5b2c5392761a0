-- Facts of a dispute for a notification to the admins of the processor's account; no row unless the condition of the
-- notification type holds.
CREATE OR REPLACE FUNCTION app.dispute_facts(p_organization uuid, p_dispute uuid, p_recipient uuid, p_type text)
  RETURNS TABLE (facts jsonb) LANGUAGE sql STABLE AS $$
  SELECT jsonb_build_object('office_of', app.money_office(p_organization, p.purpose), 'processor', p.label, 'decision', d.status,
           'amount', app.money_fact(d.amount_cents, d.currency, p_without => 'an amount'),
           'page', CASE p.purpose WHEN 'dues' THEN 'disputes/' || d.id
             ELSE concat_ws('/', 'foundation/donations', c.donation_id) END,
           'until', to_char(d.evidence_due_at AT TIME ZONE 'UTC', '" Submit evidence at the provider by "YYYY-MM-DD"."'))
    FROM payment_disputes d
    JOIN processor_captures c ON c.organization_id = d.organization_id AND c.id = d.capture_id
    JOIN org_payment_processors p ON p.organization_id = c.organization_id AND p.id = c.processor_id
   WHERE d.organization_id = p_organization AND d.id = p_dispute
     AND EXISTS (SELECT FROM app.money_admins(p_organization, p.id) a WHERE a.user_id = p_recipient)
     AND CASE p_type
       WHEN 'dispute_opened' THEN true
       WHEN 'dispute_evidence_due' THEN d.status = 'open' AND d.evidence_due_at > now()
       WHEN 'dispute_decided' THEN d.status <> 'open' END $$;
