-- Admins who decide a refund request; never the person who made it.
CREATE OR REPLACE FUNCTION app.refund_request_deciders(p_organization uuid, p_request uuid) RETURNS TABLE (user_id uuid)
  LANGUAGE sql STABLE AS $$
  SELECT a.user_id FROM refund_requests r CROSS JOIN LATERAL app.active_admins(r.organization_id) a
   WHERE r.organization_id = p_organization AND r.id = p_request AND a.user_id <> r.requested_by $$;
