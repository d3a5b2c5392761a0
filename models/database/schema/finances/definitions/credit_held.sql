-- A payer's credit in the current tenant, in cents, including credit whose refund is in flight.
CREATE OR REPLACE FUNCTION app.credit_held(p_chapter uuid, p_membership uuid) RETURNS bigint
  LANGUAGE sql STABLE AS $$
  SELECT coalesce(sum(app.credit_effect(c)), 0)::bigint FROM chapter_account_credits c
   WHERE c.organization_id = (SELECT app.org_id()) AND c.chapter_id = p_chapter
     AND c.membership_id IS NOT DISTINCT FROM p_membership $$;
