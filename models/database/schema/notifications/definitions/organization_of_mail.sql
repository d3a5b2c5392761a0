-- A report about a mail names the mail alone; which organization sent it is told to whoever proved that we gave out its id.
CREATE OR REPLACE FUNCTION app.organization_of_mail(p_mail uuid) RETURNS uuid
  LANGUAGE sql STABLE SECURITY DEFINER SET search_path = public, pg_temp AS $$
  SELECT organization_id FROM mail_messages WHERE id = p_mail $$;
REVOKE ALL ON FUNCTION app.organization_of_mail(uuid) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION app.organization_of_mail(uuid) TO :"runtime";
