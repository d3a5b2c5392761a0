-- Owner of an account, whose id is the account's.
CREATE OR REPLACE FUNCTION app.account_owner(p_organization uuid, p_account uuid) RETURNS TABLE (user_id uuid)
  LANGUAGE sql STABLE AS $$
  SELECT p_account $$;
