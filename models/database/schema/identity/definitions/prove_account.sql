-- Refuses to create an account inside a tenant without proof of its address, no matter which code inserts it. The
-- platform must have verified that the domain of the address belongs to the tenant; a statement of an identity provider
-- or an admin is not enough. The trigger does not run when the person chose a password through a mailed link.
CREATE OR REPLACE FUNCTION app.prove_account() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF NOT EXISTS (SELECT FROM verified_domains WHERE organization_id = app.org_id()
      AND domain = substring(NEW.email FROM '[^@]*$')) THEN
    RAISE EXCEPTION 'this address is not verified'
      USING ERRCODE = 'restrict_violation', CONSTRAINT = 'users_proven';
  END IF;
  RETURN NEW;
END $$;

CREATE OR REPLACE TRIGGER users_proven BEFORE INSERT ON users FOR EACH ROW
  WHEN (NEW.email IS NOT NULL AND NEW.password_hash IS NULL AND app.org_id() IS NOT NULL)
  EXECUTE FUNCTION app.prove_account();
