-- Owner of an account. The id of the user is the id of the account.
CREATE OR REPLACE FUNCTION app.account_owner(p_organization uuid, p_account uuid) RETURNS TABLE (user_id uuid)
  LANGUAGE sql STABLE AS $$
  SELECT p_account $$;
