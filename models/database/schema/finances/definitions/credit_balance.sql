-- Credit that a payer in the current tenant can spend, in cents. Credit that is reserved for refunds in flight is not
-- included, because those refunds will use it.
CREATE OR REPLACE FUNCTION app.credit_balance(p_chapter uuid, p_membership uuid) RETURNS bigint
  LANGUAGE sql STABLE AS $$
  SELECT greatest(0, coalesce(sum(app.credit_effect(c)), 0)::bigint
                     - app.credit_reserved((SELECT app.org_id()), p_chapter, p_membership))
    FROM chapter_account_credits c
   WHERE c.organization_id = (SELECT app.org_id()) AND c.chapter_id = p_chapter
     AND c.membership_id IS NOT DISTINCT FROM p_membership $$;
