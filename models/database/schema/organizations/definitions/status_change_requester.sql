-- Member who made a request for a change of status.
CREATE OR REPLACE FUNCTION app.status_change_requester(p_organization uuid, p_request uuid) RETURNS TABLE (user_id uuid)
  LANGUAGE sql STABLE AS $$
  SELECT r.requested_by FROM status_change_requests r WHERE r.organization_id = p_organization AND r.id = p_request $$;
