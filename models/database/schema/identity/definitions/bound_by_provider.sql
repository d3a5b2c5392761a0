-- Limits a session's expiry, each time it is extended, to the moment when the person must sign in at the identity
-- provider again.
CREATE OR REPLACE FUNCTION app.bound_by_provider() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  NEW.expires_at := least(NEW.expires_at, app.provider_due_at(NEW.provider_answered_at, NEW.connection_id));
  RETURN NEW;
END $$;

CREATE OR REPLACE TRIGGER sessions_bound_by_provider
  BEFORE INSERT OR UPDATE OF expires_at, provider_answered_at, connection_id ON sessions FOR EACH ROW
  WHEN (NEW.provider_answered_at IS NOT NULL) EXECUTE FUNCTION app.bound_by_provider();
