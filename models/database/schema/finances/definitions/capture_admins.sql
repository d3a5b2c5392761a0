-- Admins who are notified of a charge: those of the foundation if its account took the charge, otherwise those of the
-- organization.
CREATE OR REPLACE FUNCTION app.capture_admins(p_organization uuid, p_capture uuid) RETURNS TABLE (user_id uuid)
  LANGUAGE sql STABLE AS $$
  SELECT admin.user_id FROM processor_captures c CROSS JOIN LATERAL app.money_admins(c.organization_id, c.processor_id) admin
   WHERE c.organization_id = p_organization AND c.id = p_capture $$;
