-- Refuses removing the last active admin. The row lock on the organization serializes concurrent removals. A disabled
-- admin does not count.
CREATE OR REPLACE FUNCTION app.keep_an_admin() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM 1 FROM organizations WHERE id = OLD.organization_id FOR NO KEY UPDATE;
  IF EXISTS (SELECT FROM app.active_admins(OLD.organization_id) WHERE id = OLD.id)
    AND NOT EXISTS (SELECT FROM app.active_admins(OLD.organization_id) WHERE id <> OLD.id) THEN
    RAISE EXCEPTION 'the last active admin cannot be removed' USING ERRCODE = 'restrict_violation', CONSTRAINT = 'last_admin';
  END IF;
  RETURN coalesce(NEW, OLD);
END $$;

CREATE OR REPLACE TRIGGER organization_admins_keep_one BEFORE UPDATE OF is_active ON organization_admins
  FOR EACH ROW WHEN (OLD.is_active AND NOT NEW.is_active) EXECUTE FUNCTION app.keep_an_admin();
CREATE OR REPLACE TRIGGER organization_admins_keep_one_on_delete BEFORE DELETE ON organization_admins
  FOR EACH ROW WHEN (OLD.is_active) EXECUTE FUNCTION app.keep_an_admin();
