-- Removes credentials and cancels account deletions that may come from someone who knew the password that an admin had
-- set.
CREATE OR REPLACE FUNCTION app.drop_given_credentials() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  DELETE FROM webauthn_credentials WHERE user_id = OLD.id AND created_at >= OLD.password_given_at;
  DELETE FROM webauthn_challenges WHERE user_id = OLD.id;
  PERFORM app.drop_deletion(OLD.id, OLD.password_given_at);
  RETURN NULL;
END $$;

CREATE OR REPLACE TRIGGER users_given_credentials AFTER UPDATE OF password_given_in ON users FOR EACH ROW
  WHEN (OLD.password_given_in IS NOT NULL AND NEW.password_given_in IS DISTINCT FROM OLD.password_given_in)
  EXECUTE FUNCTION app.drop_given_credentials();
