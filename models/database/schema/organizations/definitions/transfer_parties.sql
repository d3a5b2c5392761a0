-- Requester and member of a transfer request.
CREATE OR REPLACE FUNCTION app.transfer_parties(p_organization uuid, p_request uuid) RETURNS TABLE (user_id uuid)
  LANGUAGE sql STABLE AS $$
  SELECT r.requested_by FROM transfer_requests r WHERE r.organization_id = p_organization AND r.id = p_request
  UNION
  SELECT m.user_id FROM transfer_requests r JOIN memberships m ON m.organization_id = r.organization_id AND m.id = r.membership_id
   WHERE r.organization_id = p_organization AND r.id = p_request $$;
