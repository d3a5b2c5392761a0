-- Finds an invitation by a mailed token, before a tenant is known.
CREATE OR REPLACE FUNCTION app.invitation_of_token(p_token_hash text)
  RETURNS TABLE (id uuid, organization_id uuid, user_id uuid)
  LANGUAGE sql STABLE SECURITY DEFINER SET search_path = public, pg_temp AS $$
  SELECT i.id, i.organization_id, i.user_id FROM invitations i JOIN organizations o ON o.id = i.organization_id
   WHERE i.token_hash = p_token_hash AND i.state = 'open' AND i.expires_at > now() AND o.is_active $$;
REVOKE ALL ON FUNCTION app.invitation_of_token(text) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION app.invitation_of_token(text) TO :"runtime";
