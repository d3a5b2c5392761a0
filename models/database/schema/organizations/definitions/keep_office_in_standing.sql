-- Ends a chapter office with the status that it requires, by any path, and refuses offices for others.
CREATE OR REPLACE FUNCTION app.keep_office_in_standing() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF app.in_active_standing(NEW.status) THEN RETURN NEW; END IF;
  IF TG_OP = 'INSERT' OR NEW.role IS DISTINCT FROM OLD.role THEN
    RAISE EXCEPTION 'an office needs active standing'
      USING ERRCODE = 'restrict_violation', CONSTRAINT = 'not_in_active_standing';
  END IF;
  NEW.role := CASE NEW.status WHEN 'alumni' THEN 'alumni' ELSE 'member' END;
  RETURN NEW;
END $$;

CREATE OR REPLACE TRIGGER memberships_office_in_standing BEFORE INSERT OR UPDATE OF role, status ON memberships
  FOR EACH ROW WHEN (NEW.role IN ('officer', 'president')) EXECUTE FUNCTION app.keep_office_in_standing();
