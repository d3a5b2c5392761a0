-- Makes a member's office-suite account follow all of their memberships: it is suspended when the last access is
-- lost, if the organization configured that, and always for a prospective member who crossed by mistake; it is
-- reactivated when any membership regains access.
CREATE OR REPLACE FUNCTION app.follow_access() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  record uuid;
  wanted text := CASE WHEN app.gives_access(NEW.status) THEN 'active' ELSE 'suspended' END;
BEGIN
  IF NOT EXISTS (SELECT FROM memberships m
       JOIN account_provisioning_records r ON r.organization_id = m.organization_id AND r.membership_id = m.id
      WHERE m.organization_id = NEW.organization_id AND m.user_id = NEW.user_id) THEN
    RETURN NULL;
  END IF;
  -- serializes concurrent changes of two memberships of a person
  PERFORM FROM users WHERE id = NEW.user_id FOR NO KEY UPDATE;
  IF wanted = 'suspended' AND EXISTS (SELECT FROM memberships m
       WHERE m.organization_id = NEW.organization_id AND m.user_id = NEW.user_id AND m.id <> NEW.id AND app.gives_access(m.status)) THEN
    RETURN NULL;
  END IF;
  FOR record IN
    UPDATE account_provisioning_records r SET wants = wanted FROM memberships m
     WHERE r.organization_id = NEW.organization_id AND m.organization_id = NEW.organization_id AND m.id = r.membership_id
       AND m.user_id = NEW.user_id AND r.wants <> wanted
       -- Does not reactivate accounts of memberships whose crossing was reverted (status pnm).
       AND CASE wanted WHEN 'active' THEN m.status <> 'pnm'
           ELSE NEW.status = 'pnm' OR EXISTS (
             SELECT FROM account_provisioning_configs c WHERE c.organization_id = NEW.organization_id AND c.on_leave = 'suspend') END
    RETURNING r.id
  LOOP
    PERFORM app.enqueue('provisionAccount', 'provision/' || record,
                        jsonb_build_object('organizationId', NEW.organization_id, 'recordId', record), 'changed');
  END LOOP;
  RETURN NULL;
END $$;

CREATE OR REPLACE TRIGGER memberships_accounts AFTER UPDATE OF status ON memberships
  FOR EACH ROW WHEN (app.gives_access(NEW.status) <> app.gives_access(OLD.status)) EXECUTE FUNCTION app.follow_access();
CREATE OR REPLACE TRIGGER memberships_accounts_begin AFTER INSERT ON memberships
  FOR EACH ROW WHEN (app.gives_access(NEW.status)) EXECUTE FUNCTION app.follow_access();
CREATE OR REPLACE TRIGGER memberships_accounts_accepted AFTER UPDATE OF user_id ON memberships
  FOR EACH ROW WHEN (NEW.user_id <> OLD.user_id AND app.gives_access(NEW.status)) EXECUTE FUNCTION app.follow_access();
