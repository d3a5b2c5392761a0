-- Admins who are notified of a processor's payments: the foundation's for a gift account, otherwise the organization's.
CREATE OR REPLACE FUNCTION app.money_admins(p_organization uuid, p_processor uuid) RETURNS TABLE (user_id uuid)
  LANGUAGE sql STABLE AS $$
  SELECT a.user_id FROM app.active_admins(p_organization) a
   WHERE NOT EXISTS (SELECT FROM org_payment_processors p
                      WHERE p.organization_id = p_organization AND p.id = p_processor AND p.purpose = 'foundation')
  UNION ALL
  SELECT a.user_id FROM app.active_foundation_admins(p_organization) a
   WHERE EXISTS (SELECT FROM org_payment_processors p
                  WHERE p.organization_id = p_organization AND p.id = p_processor AND p.purpose = 'foundation') $$;
