-- Admins who decide an account request.
CREATE OR REPLACE FUNCTION app.account_request_deciders(p_organization uuid, p_request uuid) RETURNS TABLE (user_id uuid)
  LANGUAGE sql STABLE AS $$
  SELECT a.user_id FROM account_requests r CROSS JOIN LATERAL app.appointed_admins(r.organization_id) a
   WHERE r.organization_id = p_organization AND r.id = p_request $$;
