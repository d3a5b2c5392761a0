-- Counts organization switches, which invalidates earlier access tokens.
CREATE OR REPLACE FUNCTION app.count_switch() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  NEW.switches := OLD.switches + 1;
  RETURN NEW;
END $$;

CREATE OR REPLACE TRIGGER sessions_count_switch BEFORE UPDATE OF organization_id ON sessions FOR EACH ROW
  WHEN (NEW.organization_id IS DISTINCT FROM OLD.organization_id) EXECUTE FUNCTION app.count_switch();
