-- Facts of a reconciliation that opened cases, for a notification to the admins of its account.
CREATE OR REPLACE FUNCTION app.reconciliation_facts(p_organization uuid, p_reconciliation uuid, p_recipient uuid, p_type text)
  RETURNS TABLE (facts jsonb) LANGUAGE sql STABLE AS $$
  SELECT jsonb_build_object('office_of', app.money_office(p_organization, p.purpose), 'processor', p.label, 'cases', r.cases_opened,
           'page', CASE p.purpose WHEN 'dues' THEN 'money-cases' ELSE 'foundation/money-cases' END)
    FROM reconciliations r JOIN org_payment_processors p ON p.organization_id = r.organization_id AND p.id = r.processor_id
   WHERE r.organization_id = p_organization AND r.id = p_reconciliation AND r.cases_opened > 0
     AND EXISTS (SELECT FROM app.money_admins(p_organization, p.id) a WHERE a.user_id = p_recipient) $$;
