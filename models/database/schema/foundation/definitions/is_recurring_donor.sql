-- Reports whether a donor gives regularly: through a pledge that is active or past due. There are no pledges yet.
CREATE OR REPLACE FUNCTION app.is_recurring_donor(p_organization uuid, p_donor uuid) RETURNS boolean
  LANGUAGE sql STABLE AS $$
  SELECT false $$;
