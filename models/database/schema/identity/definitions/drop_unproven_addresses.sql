-- Drops unverified addresses when the password changes: the holder of the old password may have added them.
CREATE OR REPLACE FUNCTION app.drop_unproven_addresses() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  UPDATE user_emails SET verification_token_hash = NULL WHERE user_id = NEW.id AND verification_token_hash IS NOT NULL;
  RETURN NULL;
END $$;

CREATE OR REPLACE TRIGGER users_unproven_addresses AFTER UPDATE OF password_hash ON users FOR EACH ROW
  WHEN (NEW.password_hash IS DISTINCT FROM OLD.password_hash)
  EXECUTE FUNCTION app.drop_unproven_addresses();
