-- Who was erased, or has declined all that they were offered here and was forgotten, is no member again, by whatever path: nobody is
-- there any more.
CREATE OR REPLACE FUNCTION app.keep_gone_people_out() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF EXISTS (SELECT FROM users u WHERE u.id = NEW.user_id AND u.placeholder_in IS NOT NULL
       AND u.typed_email IS NULL)
    OR EXISTS (SELECT FROM account_deletions d WHERE d.user_id = NEW.user_id AND d.status IN ('erasing', 'erased')) THEN
    RAISE EXCEPTION 'nobody is behind this membership' USING ERRCODE = 'restrict_violation', CONSTRAINT = 'person_gone';
  END IF;
  RETURN NEW;
END $$;

CREATE OR REPLACE TRIGGER memberships_person_gone BEFORE UPDATE OF status ON memberships
  FOR EACH ROW WHEN (OLD.status IN ('inactive', 'disaffiliated') AND NEW.status NOT IN ('inactive', 'disaffiliated'))
  EXECUTE FUNCTION app.keep_gone_people_out();
