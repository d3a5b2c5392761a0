-- Cancels an account deletion that may have been requested by an intruder.
CREATE OR REPLACE FUNCTION app.drop_deletion(p_user uuid, p_since timestamptz) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  UPDATE account_deletions SET status = 'cancelled', closed_at = now()
   WHERE user_id = p_user AND status = 'requested' AND created_at >= p_since;
  IF NOT FOUND THEN RETURN; END IF;
  PERFORM app.tell_of_account(p_user, 'account.deletion_cancelled', 'account_deletion_cancelled');
END $$;
