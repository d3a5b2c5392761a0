-- Returns the organization that sent a mail. Used for bounce reports, which name only the mail; the caller has verified
-- the report's signature.
CREATE OR REPLACE FUNCTION app.organization_of_mail(p_mail uuid) RETURNS uuid
  LANGUAGE sql STABLE SECURITY DEFINER SET search_path = public, pg_temp AS $$
  SELECT organization_id FROM mail_messages WHERE id = p_mail $$;
REVOKE ALL ON FUNCTION app.organization_of_mail(uuid) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION app.organization_of_mail(uuid) TO :"runtime";
