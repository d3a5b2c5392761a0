-- Refuses to remove a placeholder's address while an invitation or an admin office still waits for that person.
CREATE OR REPLACE FUNCTION app.keep_typed_email() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF app.placeholder_waits(OLD.id) THEN
    RAISE EXCEPTION 'an open invitation still needs the address'
      USING ERRCODE = 'restrict_violation', CONSTRAINT = 'users_typed_email_needed';
  END IF;
  RETURN NEW;
END $$;

CREATE OR REPLACE TRIGGER users_typed_email_needed BEFORE UPDATE OF typed_email ON users FOR EACH ROW
  WHEN (OLD.typed_email IS NOT NULL AND NEW.typed_email IS DISTINCT FROM OLD.typed_email)
  EXECUTE FUNCTION app.keep_typed_email();
