-- Sets a template's current version to the last published one; no role writes it directly.
CREATE OR REPLACE FUNCTION app.note_published_consent() RETURNS trigger
  LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
BEGIN
  UPDATE consent_templates SET published_version = NEW.number
   WHERE organization_id = NEW.organization_id AND id = NEW.template_id;
  RETURN NULL;
END $$;
REVOKE ALL ON FUNCTION app.note_published_consent() FROM PUBLIC;
CREATE OR REPLACE TRIGGER consent_versions_published AFTER INSERT ON consent_versions
  FOR EACH ROW EXECUTE FUNCTION app.note_published_consent();
