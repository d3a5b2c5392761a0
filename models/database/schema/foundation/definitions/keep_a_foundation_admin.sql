-- Requires that a foundation keeps at least one admin who may sign in. The configuration is locked first, so that two
-- admins cannot leave at the same time. An admin who may no longer sign in can always be removed.
CREATE OR REPLACE FUNCTION app.keep_a_foundation_admin() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF OLD.role <> 'admin' OR (TG_OP = 'UPDATE' AND NEW.role = 'admin') THEN RETURN NULL; END IF;
  PERFORM FROM foundation_configs f
    WHERE f.organization_id = OLD.organization_id AND f.id = OLD.foundation_id FOR UPDATE;
  IF NOT EXISTS (SELECT FROM app.active_foundation_admins(OLD.organization_id))
     AND EXISTS (SELECT FROM users u JOIN affiliations a ON a.user_id = u.id AND a.organization_id = OLD.organization_id
                  WHERE u.id = OLD.user_id AND u.disabled_at IS NULL) THEN
    RAISE EXCEPTION 'the last admin of a foundation stays'
      USING ERRCODE = 'restrict_violation', CONSTRAINT = 'foundation_keeps_an_admin';
  END IF;
  RETURN NULL;
END $$;

CREATE OR REPLACE TRIGGER foundation_admins_keep_one AFTER UPDATE OR DELETE ON foundation_admins
  FOR EACH ROW WHEN (pg_has_role(current_user, :'runtime', 'MEMBER')) EXECUTE FUNCTION app.keep_a_foundation_admin();
