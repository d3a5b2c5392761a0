-- Officer who made a request to hand over an office.
CREATE OR REPLACE FUNCTION app.hand_over_requester(p_organization uuid, p_request uuid) RETURNS TABLE (user_id uuid)
  LANGUAGE sql STABLE AS $$
  SELECT r.requested_by FROM hand_over_requests r WHERE r.organization_id = p_organization AND r.id = p_request $$;
