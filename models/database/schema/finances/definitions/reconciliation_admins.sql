-- Admins who are notified of a reconciliation.
CREATE OR REPLACE FUNCTION app.reconciliation_admins(p_organization uuid, p_reconciliation uuid) RETURNS TABLE (user_id uuid)
  LANGUAGE sql STABLE AS $$
  SELECT admin.user_id FROM reconciliations r CROSS JOIN LATERAL app.money_admins(r.organization_id, r.processor_id) admin
   WHERE r.organization_id = p_organization AND r.id = p_reconciliation $$;
