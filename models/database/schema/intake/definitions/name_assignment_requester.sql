-- Person who proposed a name.
CREATE OR REPLACE FUNCTION app.name_assignment_requester(p_organization uuid, p_assignment uuid) RETURNS TABLE (user_id uuid)
  LANGUAGE sql STABLE AS $$
  SELECT a.requested_by FROM pnm_name_assignments a WHERE a.organization_id = p_organization AND a.id = p_assignment $$;
