-- What a session registered ends with it, by whatever way it is ended; one that runs out ends nothing. Also what a gateway calls
-- unknown: it may be taken back, when too many are.
CREATE OR REPLACE FUNCTION app.end_push_tokens() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  UPDATE push_tokens SET is_active = false, deactivated_reason = 'session_ended', deactivated_at = now()
   WHERE session_id = NEW.id AND (is_active OR deactivated_reason = 'unregistered');
  RETURN NULL;
END $$;

CREATE OR REPLACE TRIGGER sessions_end_push_tokens AFTER UPDATE ON sessions FOR EACH ROW
  WHEN (OLD.revoked_at IS NULL AND NEW.revoked_at IS NOT NULL) EXECUTE FUNCTION app.end_push_tokens();
