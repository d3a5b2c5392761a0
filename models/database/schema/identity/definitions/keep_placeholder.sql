CREATE OR REPLACE FUNCTION app.keep_placeholder() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION 'a placeholder cannot become an account, nor an account a placeholder'
    USING ERRCODE = 'restrict_violation', CONSTRAINT = 'users_placeholder_stays';
END $$;

CREATE OR REPLACE TRIGGER users_placeholder_stays BEFORE UPDATE OF placeholder_in ON users FOR EACH ROW
  WHEN (NEW.placeholder_in IS DISTINCT FROM OLD.placeholder_in) EXECUTE FUNCTION app.keep_placeholder();
