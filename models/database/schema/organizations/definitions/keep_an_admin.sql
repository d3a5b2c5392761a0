-- The row lock on the organization makes two concurrent deactivations see one another
CREATE OR REPLACE FUNCTION app.keep_an_admin() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM 1 FROM organizations WHERE id = OLD.organization_id FOR NO KEY UPDATE;
  IF NOT EXISTS (SELECT 1 FROM organization_admins
                  WHERE organization_id = OLD.organization_id AND is_active AND id <> OLD.id) THEN
    RAISE EXCEPTION 'the last active admin stays' USING ERRCODE = 'restrict_violation', CONSTRAINT = 'last_admin';
  END IF;
  RETURN coalesce(NEW, OLD);
END $$;

CREATE OR REPLACE TRIGGER organization_admins_keep_one BEFORE UPDATE OF is_active ON organization_admins
  FOR EACH ROW WHEN (OLD.is_active AND NOT NEW.is_active) EXECUTE FUNCTION app.keep_an_admin();
CREATE OR REPLACE TRIGGER organization_admins_keep_one_on_delete BEFORE DELETE ON organization_admins
  FOR EACH ROW WHEN (OLD.is_active) EXECUTE FUNCTION app.keep_an_admin();
