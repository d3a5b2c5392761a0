-- Officer who made a refund request.
CREATE OR REPLACE FUNCTION app.refund_requester(p_organization uuid, p_request uuid) RETURNS TABLE (user_id uuid)
  LANGUAGE sql STABLE AS $$
  SELECT r.requested_by FROM refund_requests r WHERE r.organization_id = p_organization AND r.id = p_request $$;
