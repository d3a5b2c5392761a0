-- Returns the tenant to which a foundation belongs. The public id of the foundation is known before its tenant is.
-- Suspended organizations are indistinguishable from unknown ones.
CREATE OR REPLACE FUNCTION app.foundation_of(p_foundation uuid) RETURNS uuid
  LANGUAGE sql STABLE SECURITY DEFINER SET search_path = public, pg_temp AS $$
  SELECT f.organization_id FROM foundation_configs f JOIN organizations o ON o.id = f.organization_id
   WHERE f.id = p_foundation AND o.is_active $$;
REVOKE ALL ON FUNCTION app.foundation_of(uuid) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION app.foundation_of(uuid) TO :"runtime";
