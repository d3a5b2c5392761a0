-- Reports whether a donor gives regularly: with a pledge that is active or past due.
CREATE OR REPLACE FUNCTION app.is_recurring_donor(p_organization uuid, p_donor uuid) RETURNS boolean
  LANGUAGE sql STABLE AS $$
  SELECT EXISTS (SELECT FROM recurring_pledges p
                  WHERE p.organization_id = p_organization AND p.donor_id = p_donor AND p.status IN ('active','past_due')) $$;
