-- Tenant of a gift's public id, before a tenant is known.
CREATE OR REPLACE FUNCTION app.donation_of(p_donation uuid) RETURNS uuid
  LANGUAGE sql STABLE SECURITY DEFINER SET search_path = public, pg_temp AS $$
  SELECT d.organization_id FROM donations d JOIN organizations o ON o.id = d.organization_id
   WHERE d.id = p_donation AND o.is_active $$;
REVOKE ALL ON FUNCTION app.donation_of(uuid) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION app.donation_of(uuid) TO :"runtime";
