-- All organizations, including suspended ones, that hold data of a person or open invitations to the person's
-- addresses. Erasing the person covers exactly these.
CREATE OR REPLACE FUNCTION app.organizations_of(p_user uuid, p_emails text[]) RETURNS SETOF uuid
  LANGUAGE sql STABLE SECURITY DEFINER SET search_path = public, pg_temp AS $$
  SELECT organization_id FROM memberships WHERE user_id = p_user
   UNION SELECT organization_id FROM organization_admins WHERE user_id = p_user
   UNION SELECT organization_id FROM regional_admins WHERE user_id = p_user
   UNION SELECT organization_id FROM member_handles WHERE user_id = p_user
   UNION SELECT organization_id FROM audit_values WHERE user_id = p_user
   UNION SELECT placeholder_in FROM users WHERE typed_email = ANY (p_emails) AND placeholder_in IS NOT NULL
   UNION SELECT organization_id FROM member_add_requests WHERE requested_by = p_user OR email = ANY (p_emails)
   UNION SELECT organization_id FROM account_requests WHERE linked_user_id = p_user OR email = ANY (p_emails) $$;
REVOKE ALL ON FUNCTION app.organizations_of(uuid, text[]) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION app.organizations_of(uuid, text[]) TO :"runtime";
