-- Publishes a template's current draft under the next version number; the writer chooses neither text nor number.
CREATE OR REPLACE FUNCTION app.publish_consent() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE draft consent_templates;
BEGIN
  SELECT * INTO draft FROM consent_templates t
   WHERE t.organization_id = NEW.organization_id AND t.id = NEW.template_id FOR NO KEY UPDATE;
  NEW.number := coalesce(draft.published_version, 0) + 1;
  NEW.title := draft.title;
  NEW.method := draft.method;
  NEW.body_html := draft.body_html;
  NEW.body_text := draft.body_text;
  NEW.text_hash := encode(sha256(convert_to(draft.title || E'\n\n' || coalesce(draft.body_html, draft.body_text), 'UTF8')), 'hex');
  RETURN NEW;
END $$;
CREATE OR REPLACE TRIGGER consent_versions_publish BEFORE INSERT ON consent_versions
  FOR EACH ROW EXECUTE FUNCTION app.publish_consent();
