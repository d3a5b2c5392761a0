-- Allows consent only to the current version, and withdrawal only of the version to which consent was given. If a new
-- version is being published, waits for it and then requires it.
CREATE OR REPLACE FUNCTION app.keep_consents() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  asked integer;
  before consent_records;
BEGIN
  SELECT CASE WHEN t.is_active THEN t.published_version END INTO asked FROM consent_templates t
   WHERE t.organization_id = NEW.organization_id AND t.id = NEW.template_id FOR SHARE;
  -- The template does not exist in this tenant. The row is then refused by its foreign key or by row level security
  IF NOT FOUND THEN RETURN NEW; END IF;
  SELECT * INTO before FROM consent_records r
   WHERE r.organization_id = NEW.organization_id AND r.template_id = NEW.template_id AND r.user_id = NEW.user_id
   ORDER BY r.ordinal DESC LIMIT 1;
  IF NEW.kind = 'given' AND NEW.version IS DISTINCT FROM asked THEN
    RAISE EXCEPTION 'this is not the current version' USING ERRCODE = 'restrict_violation', CONSTRAINT = 'consent_version_stale';
  END IF;
  IF NEW.kind = 'withdrawn' AND (before.kind, before.version) IS DISTINCT FROM ('given', NEW.version) THEN
    RAISE EXCEPTION 'this consent was not given' USING ERRCODE = 'restrict_violation', CONSTRAINT = 'consent_not_given';
  END IF;
  NEW.ordinal := coalesce(before.ordinal, 0) + 1;
  RETURN NEW;
END $$;
CREATE OR REPLACE TRIGGER consent_records_keep BEFORE INSERT ON consent_records
  FOR EACH ROW EXECUTE FUNCTION app.keep_consents();
