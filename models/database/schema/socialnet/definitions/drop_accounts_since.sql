-- Drops social network accounts that were linked after the given time, because the person who may have linked them
-- loses access to the account.
CREATE OR REPLACE FUNCTION app.drop_accounts_since(p_user uuid, p_since timestamptz) RETURNS void LANGUAGE sql AS $$
  DELETE FROM social_accounts WHERE user_id = p_user AND created_at >= p_since;
  DELETE FROM social_link_flows WHERE user_id = p_user $$;
