-- Ends the push tokens of a session when it is ended by any path; expiry of a session ends none. Includes tokens
-- reported as unknown, which may be restored when too many are.
CREATE OR REPLACE FUNCTION app.end_push_tokens() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  UPDATE push_tokens SET is_active = false, deactivated_reason = 'session_ended', deactivated_at = now()
   WHERE session_id = NEW.id AND (is_active OR deactivated_reason = 'unregistered');
  RETURN NULL;
END $$;

CREATE OR REPLACE TRIGGER sessions_end_push_tokens AFTER UPDATE ON sessions FOR EACH ROW
  WHEN (OLD.revoked_at IS NULL AND NEW.revoked_at IS NOT NULL) EXECUTE FUNCTION app.end_push_tokens();
