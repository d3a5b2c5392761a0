-- Credit that came from a payment and belongs to this payer, in cents, whether spent or not. A payment's credit may
-- have moved from one membership to another, so each membership has its own part.
CREATE OR REPLACE FUNCTION app.credit_from_payment(p_organization uuid, p_payment uuid, p_chapter uuid, p_membership uuid) RETURNS bigint
  LANGUAGE sql STABLE AS $$
  SELECT coalesce(sum(CASE c.kind WHEN 'shortfall' THEN -c.amount_cents ELSE app.credit_effect(c) END), 0)::bigint
    FROM chapter_account_credits c
   WHERE c.organization_id = p_organization AND c.payment_record_id = p_payment AND c.chapter_id = p_chapter
     AND c.membership_id IS NOT DISTINCT FROM p_membership $$;
