-- Credit that came from an unmatched payment which an administrator kept as credit, in cents: what was issued, less
-- reversed amounts and shortfalls, in all memberships to which it moved.
CREATE OR REPLACE FUNCTION app.credit_of_resolution(p_organization uuid, p_resolution uuid) RETURNS bigint
  LANGUAGE sql STABLE AS $$
  SELECT coalesce(sum(CASE WHEN c.kind IN ('issued', 'moved_in') THEN c.amount_cents ELSE -c.amount_cents END), 0)::bigint
    FROM chapter_account_credits c
   WHERE c.organization_id = p_organization AND c.capture_resolution_id = p_resolution $$;
