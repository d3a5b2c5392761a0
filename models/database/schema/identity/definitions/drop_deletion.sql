-- Whoever was let in by somebody else may have asked for the deletion of the account, which must not outlive that either.
CREATE OR REPLACE FUNCTION app.drop_deletion(p_user uuid, p_since timestamptz) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  main text; notice uuid := uuidv7();
BEGIN
  UPDATE account_deletions SET status = 'cancelled', closed_at = now()
   WHERE user_id = p_user AND status = 'requested' AND created_at >= p_since;
  IF NOT FOUND THEN RETURN; END IF;
  INSERT INTO security_events (user_id, kind) VALUES (p_user, 'account.deletion_cancelled');
  SELECT email INTO main FROM users WHERE id = p_user;
  INSERT INTO account_notices (id, user_id, kind, email) VALUES (notice, p_user, 'account_deletion_cancelled', main);
  PERFORM app.enqueue('sendAccountNotice', 'account-notice/' || notice,
    jsonb_build_object('organizationId', NULL, 'noticeId', notice));
END $$;
