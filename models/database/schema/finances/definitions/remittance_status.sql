-- Status of a remittance, derived from its columns. A flag is kept after the problem is resolved, and counts only while
-- it is newer than the resolution. Call it in FROM: Postgres then inlines it.
CREATE OR REPLACE FUNCTION app.remittance_status(
  p_organization uuid, p_remittance uuid, p_settled_at timestamptz, p_flagged_at timestamptz, p_resolved_at timestamptz
) RETURNS TABLE (status text) LANGUAGE sql STABLE AS $$
  SELECT CASE
    WHEN p_flagged_at IS NOT NULL AND (p_resolved_at IS NULL OR p_resolved_at < p_flagged_at) THEN 'needs_reconciliation'
    WHEN p_settled_at IS NOT NULL THEN 'settled'
    WHEN EXISTS (SELECT FROM payment_attempts a
      WHERE a.organization_id = p_organization AND a.remittance_id = p_remittance AND a.status = 'pending') THEN 'processing'
    ELSE 'draft' END $$;
