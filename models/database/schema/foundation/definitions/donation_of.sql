-- Returns the tenant to which a gift belongs. The public id of the gift is known before its tenant is.
CREATE OR REPLACE FUNCTION app.donation_of(p_donation uuid) RETURNS uuid
  LANGUAGE sql STABLE SECURITY DEFINER SET search_path = public, pg_temp AS $$
  SELECT d.organization_id FROM donations d JOIN organizations o ON o.id = d.organization_id
   WHERE d.id = p_donation AND o.is_active $$;
REVOKE ALL ON FUNCTION app.donation_of(uuid) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION app.donation_of(uuid) TO :"runtime";
