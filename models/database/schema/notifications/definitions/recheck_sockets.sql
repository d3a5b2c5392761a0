-- Announces that the realtime connections of a person or an organization must be checked, because a session ended or
-- access was lost. As a trigger it covers every code path. These events are so rare that NOTIFY is sent in the
-- transaction itself (see models/database/announcements.ts).
CREATE OR REPLACE FUNCTION app.recheck_sockets() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM pg_notify('announcements', json_build_object('kind', 'check', TG_ARGV[0], to_jsonb(OLD) -> TG_ARGV[1])::text);
  RETURN NULL;
END $$;

CREATE OR REPLACE TRIGGER sessions_recheck_sockets AFTER UPDATE ON sessions FOR EACH ROW
  WHEN (OLD.revoked_at IS NULL AND (NEW.revoked_at IS NOT NULL OR NEW.switches <> OLD.switches
        OR NEW.organization_id IS DISTINCT FROM OLD.organization_id OR NEW.expires_at < OLD.expires_at))
  EXECUTE FUNCTION app.recheck_sockets('user', 'user_id');
CREATE OR REPLACE TRIGGER sessions_gone_recheck_sockets AFTER DELETE ON sessions FOR EACH ROW
  WHEN (OLD.revoked_at IS NULL)
  EXECUTE FUNCTION app.recheck_sockets('user', 'user_id');
CREATE OR REPLACE TRIGGER users_recheck_sockets AFTER UPDATE ON users FOR EACH ROW
  WHEN (OLD.disabled_at IS NULL AND NEW.disabled_at IS NOT NULL OR NEW.must_change_password AND NOT OLD.must_change_password
        OR OLD.is_platform_admin AND NOT NEW.is_platform_admin)
  EXECUTE FUNCTION app.recheck_sockets('user', 'id');
CREATE OR REPLACE TRIGGER affiliations_recheck_sockets AFTER DELETE ON affiliations FOR EACH ROW
  EXECUTE FUNCTION app.recheck_sockets('user', 'user_id');
CREATE OR REPLACE TRIGGER organizations_recheck_sockets AFTER UPDATE ON organizations FOR EACH ROW
  WHEN (OLD.is_active AND NOT NEW.is_active)
  EXECUTE FUNCTION app.recheck_sockets('organization', 'id');
