-- Officer who made a request to add a member.
CREATE OR REPLACE FUNCTION app.member_add_requester(p_organization uuid, p_request uuid) RETURNS TABLE (user_id uuid)
  LANGUAGE sql STABLE AS $$
  SELECT r.requested_by FROM member_add_requests r WHERE r.organization_id = p_organization AND r.id = p_request $$;
