-- Credit that came from a payment, in cents: what was issued, less reversed amounts and shortfalls.
CREATE OR REPLACE FUNCTION app.credit_of_payment(p_organization uuid, p_payment uuid) RETURNS bigint
  LANGUAGE sql STABLE AS $$
  SELECT coalesce(sum(CASE c.kind WHEN 'shortfall' THEN -c.amount_cents ELSE app.credit_effect(c) END), 0)::bigint
    FROM chapter_account_credits c
   WHERE c.organization_id = p_organization AND c.payment_record_id = p_payment $$;
