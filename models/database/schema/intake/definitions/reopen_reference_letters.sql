-- Reopens an applicant's reference letters when the recruitment period is reopened. Their links are valid again, and
-- end when they expire.
CREATE OR REPLACE FUNCTION app.reopen_reference_letters() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF OLD.closed_from IS NOT NULL THEN
    UPDATE pnm_reference_letters SET status = 'requested', closed_at = NULL, ended_with_period = false
     WHERE organization_id = NEW.organization_id AND profile_id = NEW.id AND ended_with_period;
  END IF;
  RETURN NULL;
END $$;

CREATE OR REPLACE TRIGGER pnm_profiles_undecided AFTER UPDATE OF stage ON pnm_profiles
  FOR EACH ROW WHEN (OLD.stage = 'rejected' AND NEW.stage = 'not_started') EXECUTE FUNCTION app.reopen_reference_letters();
