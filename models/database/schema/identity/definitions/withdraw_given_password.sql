-- Withdraws a password that an organization's admin has set when the account gains access outside of that organization.
-- p_organization is the organization in which the account gains access; null for the platform.
CREATE OR REPLACE FUNCTION app.withdraw_given_password(p_user uuid, p_organization uuid) RETURNS void
  LANGUAGE plpgsql AS $$
DECLARE
  address text;
BEGIN
  UPDATE users SET password_hash = NULL, must_change_password = false, password_given_in = NULL,
         password_given_at = NULL
   WHERE id = p_user AND password_given_in IS DISTINCT FROM p_organization AND password_given_in IS NOT NULL
   RETURNING email INTO address;
  IF address IS NULL THEN RETURN; END IF;
  UPDATE sessions SET revoked_at = now(), revoked_reason = 'password_withdrawn'
   WHERE user_id = p_user AND revoked_at IS NULL;
  DELETE FROM password_resets WHERE user_id = p_user;
  PERFORM app.tell_of_account(p_user, 'password.withdrawn', 'password_withdrawn');
END $$;
