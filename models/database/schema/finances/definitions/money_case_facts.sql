-- Facts of an open money case for a notification to the organization's admins.
CREATE OR REPLACE FUNCTION app.money_case_facts(p_organization uuid, p_case uuid, p_recipient uuid, p_type text)
  RETURNS TABLE (facts jsonb) LANGUAGE sql STABLE AS $$
  SELECT jsonb_build_object('office_of', p_organization, 'processor', p.label,
           'amount', app.money_fact(k.amount_cents, coalesce(c.currency, 'usd'), p_without => 'An amount'))
    FROM money_cases k JOIN processor_captures c ON c.organization_id = k.organization_id AND c.id = k.capture_id
    JOIN org_payment_processors p ON p.organization_id = k.organization_id AND p.id = k.processor_id
   WHERE k.organization_id = p_organization AND k.id = p_case AND k.status = 'open'
     AND EXISTS (SELECT FROM app.active_admins(p_organization) a WHERE a.user_id = p_recipient) $$;
