-- Records a security event of an account and mails a notice to its primary address.
CREATE OR REPLACE FUNCTION app.tell_of_account(p_user uuid, p_event text, p_notice text) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  notice uuid := uuidv7();
BEGIN
  INSERT INTO security_events (user_id, kind) VALUES (p_user, p_event);
  INSERT INTO account_notices (id, user_id, kind, email) SELECT notice, p_user, p_notice, email FROM users WHERE id = p_user;
  PERFORM app.enqueue('sendAccountNotice', 'account-notice/' || notice,
    jsonb_build_object('organizationId', NULL, 'noticeId', notice));
END $$;
