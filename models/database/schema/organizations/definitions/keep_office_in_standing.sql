-- When a member's status no longer allows a chapter office, the office ends. Refuses to give an office to a member
-- whose status does not allow it. Applies no matter which code makes the change.
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
