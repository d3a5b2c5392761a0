-- Requires that a consent whose method demands a typed name is inserted together with that name, in one statement.
CREATE OR REPLACE FUNCTION app.keep_typed_names() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF EXISTS (SELECT FROM consent_versions v
              WHERE v.organization_id = NEW.organization_id AND v.template_id = NEW.template_id AND v.number = NEW.version
                AND v.method = 'typed_name')
     AND NOT EXISTS (SELECT FROM consent_record_values w
              WHERE w.organization_id = NEW.organization_id AND w.record_id = NEW.id AND w.user_id = NEW.user_id
                AND w.typed_name IS NOT NULL) THEN
    RAISE EXCEPTION 'this consent requires a typed name' USING ERRCODE = 'check_violation', CONSTRAINT = 'consent_name_missing';
  END IF;
  RETURN NULL;
END $$;
CREATE OR REPLACE TRIGGER consent_records_typed AFTER INSERT ON consent_records
  FOR EACH ROW WHEN (NEW.kind = 'given') EXECUTE FUNCTION app.keep_typed_names();
