-- Drops social network accounts that may have been linked by someone who knew the password that an admin had set.
CREATE OR REPLACE FUNCTION app.drop_given_accounts() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM app.drop_accounts_since(OLD.id, OLD.password_given_at);
  RETURN NULL;
END $$;

CREATE OR REPLACE TRIGGER users_given_accounts AFTER UPDATE OF password_given_in ON users FOR EACH ROW
  WHEN (OLD.password_given_in IS NOT NULL AND NEW.password_given_in IS DISTINCT FROM OLD.password_given_in)
  EXECUTE FUNCTION app.drop_given_accounts();
