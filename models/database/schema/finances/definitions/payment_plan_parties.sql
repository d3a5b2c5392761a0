-- Member who pays by a plan, and the person who requested it.
CREATE OR REPLACE FUNCTION app.payment_plan_parties(p_organization uuid, p_plan uuid) RETURNS TABLE (user_id uuid)
  LANGUAGE sql STABLE AS $$
  SELECT party.user_id FROM payment_plans p CROSS JOIN LATERAL app.plan_parties(p.organization_id, p.request_id) party
   WHERE p.organization_id = p_organization AND p.id = p_plan $$;
