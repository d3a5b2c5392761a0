-- Returns the tenant to which a pledge belongs. The id in a mailed link is known before its tenant is.
CREATE OR REPLACE FUNCTION app.pledge_of(p_pledge uuid) RETURNS uuid
  LANGUAGE sql STABLE SECURITY DEFINER SET search_path = public, pg_temp AS $$
  SELECT p.organization_id FROM recurring_pledges p JOIN organizations o ON o.id = p.organization_id
   WHERE p.id = p_pledge AND o.is_active $$;
REVOKE ALL ON FUNCTION app.pledge_of(uuid) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION app.pledge_of(uuid) TO :"runtime";
