-- Deactivates the push tokens of a session when the session is revoked, no matter which code revokes it. A session that
-- only expires keeps its tokens. This includes tokens that a gateway reported as unregistered: if a gateway reports
-- implausibly many tokens, its reports are distrusted and those tokens are reactivated, which must not happen for a
-- revoked session.
CREATE OR REPLACE FUNCTION app.end_push_tokens() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  UPDATE push_tokens SET is_active = false, deactivated_reason = 'session_ended', deactivated_at = now()
   WHERE session_id = NEW.id AND (is_active OR deactivated_reason = 'unregistered');
  RETURN NULL;
END $$;

CREATE OR REPLACE TRIGGER sessions_end_push_tokens AFTER UPDATE ON sessions FOR EACH ROW
  WHEN (OLD.revoked_at IS NULL AND NEW.revoked_at IS NOT NULL) EXECUTE FUNCTION app.end_push_tokens();
