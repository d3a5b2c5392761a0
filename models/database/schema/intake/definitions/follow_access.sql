-- An account at the organization's provider follows the membership: whoever loses access is suspended there if the organization
-- says so, a prospective member (who crossed by mistake) always; whoever comes back is let in again.
CREATE OR REPLACE FUNCTION app.follow_access() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  record uuid;
BEGIN
  UPDATE account_provisioning_records r
     SET wants = CASE WHEN app.gives_access(NEW.status) THEN 'active' ELSE 'suspended' END
   WHERE r.organization_id = NEW.organization_id AND r.membership_id = NEW.id
     AND (app.gives_access(NEW.status) OR NEW.status = 'pnm' OR EXISTS (
       SELECT FROM account_provisioning_configs c WHERE c.organization_id = NEW.organization_id AND c.on_leave = 'suspend'))
     AND r.wants <> CASE WHEN app.gives_access(NEW.status) THEN 'active' ELSE 'suspended' END
  RETURNING r.id INTO record;
  IF record IS NOT NULL THEN
    PERFORM app.enqueue('provisionAccount', 'provision/' || record,
                        jsonb_build_object('organizationId', NEW.organization_id, 'recordId', record));
  END IF;
  RETURN NULL;
END $$;

CREATE OR REPLACE TRIGGER memberships_accounts AFTER UPDATE OF status ON memberships
  FOR EACH ROW WHEN (app.gives_access(NEW.status) <> app.gives_access(OLD.status)) EXECUTE FUNCTION app.follow_access();
