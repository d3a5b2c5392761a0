-- Closes open requests for reference letters once the application is decided, no matter which code decides it.
CREATE OR REPLACE FUNCTION app.close_reference_letters() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  UPDATE pnm_reference_letters SET status = 'cancelled', closed_at = now(), ended_with_period = NEW.closed_from IS NOT NULL
   WHERE organization_id = NEW.organization_id AND profile_id = NEW.id AND status = 'requested';
  RETURN NULL;
END $$;
CREATE OR REPLACE TRIGGER pnm_profiles_decided AFTER UPDATE OF stage ON pnm_profiles
  FOR EACH ROW WHEN (OLD.stage = 'not_started' AND NEW.stage <> 'not_started') EXECUTE FUNCTION app.close_reference_letters();
