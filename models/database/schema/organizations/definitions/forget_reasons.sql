-- Erases the reasons in the history of a person's memberships; dates and actors stay.
CREATE OR REPLACE FUNCTION app.forget_reasons(p_user uuid) RETURNS bigint
  LANGUAGE sql SECURITY DEFINER SET search_path = public, pg_temp AS $$
  WITH forgotten AS (
    UPDATE membership_periods p SET reason = NULL FROM memberships m
     WHERE m.organization_id = app.org_id() AND m.user_id = p_user
       AND p.organization_id = m.organization_id AND p.membership_id = m.id AND p.reason IS NOT NULL RETURNING 1)
  SELECT count(*) FROM forgotten $$;
REVOKE ALL ON FUNCTION app.forget_reasons(uuid) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION app.forget_reasons(uuid) TO :"runtime";
