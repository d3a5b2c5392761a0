-- Unlinks an address that an organization had linked to an account. Also removes everything that the reader of its
-- mailbox may have set up since: sessions, passkeys, linked providers, further addresses and a new password.
CREATE OR REPLACE FUNCTION app.unlink_address(p_email uuid) RETURNS boolean LANGUAGE plpgsql AS $$
DECLARE
  who uuid; gone user_emails;
BEGIN
  SELECT user_id INTO who FROM user_emails WHERE id = p_email;
  PERFORM FROM users WHERE id = who FOR NO KEY UPDATE;
  -- Triggers of other areas read this setting to distinguish unlinking from an ordinary removal of an address.
  PERFORM set_config('app.unlinking', 'on', true);
  DELETE FROM user_emails WHERE id = p_email AND linked_in IS NOT NULL RETURNING * INTO gone;
  PERFORM set_config('app.unlinking', '', true);
  IF gone.id IS NULL THEN RETURN false; END IF;
  UPDATE sessions SET revoked_at = now(), revoked_reason = 'address_unlinked'
   WHERE user_id = who AND revoked_at IS NULL AND created_at >= gone.linked_at;
  DELETE FROM sso_codes WHERE user_id = who;
  DELETE FROM password_resets WHERE user_id = who;
  DELETE FROM webauthn_credentials WHERE user_id = who AND created_at >= gone.linked_at;
  DELETE FROM webauthn_challenges WHERE user_id = who;
  DELETE FROM sso_identities WHERE user_id = who AND created_at >= gone.linked_at;
  DELETE FROM user_emails e USING users u
   WHERE e.user_id = who AND u.id = who AND e.created_at >= gone.linked_at AND e.email <> u.email;
  UPDATE users SET password_hash = NULL, must_change_password = false, password_given_in = NULL, password_given_at = NULL
   WHERE id = who AND EXISTS (SELECT FROM security_events s WHERE s.user_id = who AND s.created_at >= gone.linked_at
     AND s.kind IN ('password.reset', 'password.changed'));
  PERFORM app.drop_deletion(who, gone.linked_at);
  PERFORM app.tell_of_account(who, 'email.unlinked', 'address_unlinked');
  RETURN true;
END $$;
