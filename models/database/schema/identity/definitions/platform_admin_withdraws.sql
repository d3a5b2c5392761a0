CREATE OR REPLACE FUNCTION app.platform_admin_withdraws() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM app.withdraw_given_password(NEW.id, NULL);
  RETURN NULL;
END $$;

CREATE OR REPLACE TRIGGER users_given_password AFTER UPDATE OF is_platform_admin ON users
  FOR EACH ROW WHEN (NEW.is_platform_admin AND NOT OLD.is_platform_admin)
  EXECUTE FUNCTION app.platform_admin_withdraws();
