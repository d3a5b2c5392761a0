-- Users who made a payment plan request and who are to pay by it; disabled accounts are left out.
CREATE OR REPLACE FUNCTION app.plan_parties(p_organization uuid, p_request uuid) RETURNS TABLE (user_id uuid)
  LANGUAGE sql STABLE AS $$
  SELECT u.id FROM payment_plan_requests r
    JOIN memberships m ON m.organization_id = r.organization_id AND m.id = r.membership_id
    JOIN users u ON u.id IN (r.requested_by, m.user_id) AND u.disabled_at IS NULL
   WHERE r.organization_id = p_organization AND r.id = p_request $$;
