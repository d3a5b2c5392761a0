-- Refuses to disable the account of the last active admin of an organization, no matter which code does it. A
-- transaction may allow it with the setting app.leave_without_admin (`models/identity/accountStatus.ts`).
CREATE OR REPLACE FUNCTION app.keep_an_admin_enabled() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF coalesce(current_setting('app.leave_without_admin', true), '') <> 'on'
    AND EXISTS (SELECT FROM app.administered_alone(NEW.id)) THEN
    RAISE EXCEPTION 'the last active admin cannot be disabled' USING ERRCODE = 'restrict_violation', CONSTRAINT = 'last_admin';
  END IF;
  RETURN NULL;
END $$;

CREATE OR REPLACE TRIGGER users_keep_an_admin AFTER UPDATE OF disabled_at ON users FOR EACH ROW
  WHEN (OLD.disabled_at IS NULL AND NEW.disabled_at IS NOT NULL) EXECUTE FUNCTION app.keep_an_admin_enabled();
