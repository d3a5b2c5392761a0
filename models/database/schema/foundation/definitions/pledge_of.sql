-- Returns the tenant to which a pledge belongs, also a suspended one. The id in a mailed link is known before its tenant is.
CREATE OR REPLACE FUNCTION app.pledge_of(p_pledge uuid) RETURNS uuid
  LANGUAGE sql STABLE SECURITY DEFINER SET search_path = public, pg_temp AS $$
  SELECT p.organization_id FROM recurring_pledges p WHERE p.id = p_pledge $$;
REVOKE ALL ON FUNCTION app.pledge_of(uuid) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION app.pledge_of(uuid) TO :"runtime";
