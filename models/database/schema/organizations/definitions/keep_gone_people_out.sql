-- Refuses memberships of erased people, no matter which code inserts or changes them.
CREATE OR REPLACE FUNCTION app.keep_gone_people_out() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF app.is_gone(NEW.user_id) THEN
    RAISE EXCEPTION 'the person of this membership was erased' USING ERRCODE = 'restrict_violation', CONSTRAINT = 'person_gone';
  END IF;
  RETURN NEW;
END $$;

CREATE OR REPLACE TRIGGER memberships_person_gone BEFORE UPDATE OF status ON memberships
  FOR EACH ROW WHEN (OLD.status IN ('inactive', 'disaffiliated') AND NEW.status NOT IN ('inactive', 'disaffiliated'))
  EXECUTE FUNCTION app.keep_gone_people_out();
