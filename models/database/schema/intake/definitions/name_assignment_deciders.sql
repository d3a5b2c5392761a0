-- Admins who decide a proposed name, except the person who proposed it.
CREATE OR REPLACE FUNCTION app.name_assignment_deciders(p_organization uuid, p_assignment uuid) RETURNS TABLE (user_id uuid)
  LANGUAGE sql STABLE AS $$
  SELECT admin.user_id FROM pnm_name_assignments a CROSS JOIN LATERAL app.appointed_admins(a.organization_id) admin
   WHERE a.organization_id = p_organization AND a.id = p_assignment AND admin.user_id <> a.requested_by $$;
