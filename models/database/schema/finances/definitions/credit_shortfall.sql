-- A payer's shortfall, in cents: credit that was spent before its payment was refunded.
CREATE OR REPLACE FUNCTION app.credit_shortfall(p_organization uuid, p_chapter uuid, p_membership uuid) RETURNS bigint
  LANGUAGE sql STABLE AS $$
  SELECT coalesce(sum(CASE c.kind WHEN 'shortfall' THEN c.amount_cents ELSE -c.amount_cents END), 0)::bigint
    FROM chapter_account_credits c
   WHERE c.organization_id = p_organization AND c.chapter_id = p_chapter
     AND c.membership_id IS NOT DISTINCT FROM p_membership AND c.kind IN ('shortfall','recovered') $$;
