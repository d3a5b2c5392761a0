-- Users who made a payment plan request, who are to pay by it, and who decide on it.
CREATE OR REPLACE FUNCTION app.plan_parties_and_reviewers(p_organization uuid, p_request uuid) RETURNS TABLE (user_id uuid)
  LANGUAGE sql STABLE AS $$
  SELECT p.user_id FROM app.plan_parties(p_organization, p_request) p
  UNION
  SELECT v.user_id FROM app.plan_reviewers(p_organization, p_request) v $$;
