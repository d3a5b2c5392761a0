-- Admins who are notified of a dispute.
CREATE OR REPLACE FUNCTION app.dispute_admins(p_organization uuid, p_dispute uuid) RETURNS TABLE (user_id uuid)
  LANGUAGE sql STABLE AS $$
  SELECT admin.user_id FROM payment_disputes d CROSS JOIN LATERAL app.capture_admins(d.organization_id, d.capture_id) admin
   WHERE d.organization_id = p_organization AND d.id = p_dispute $$;
