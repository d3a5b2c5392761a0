-- Locks the organization's row, so that concurrent changes of academic terms run one after another and the current term
-- stays unique.
CREATE OR REPLACE FUNCTION app.keep_terms_apart() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM 1 FROM organizations WHERE id = NEW.organization_id FOR NO KEY UPDATE;
  IF EXISTS (SELECT 1 FROM terms WHERE organization_id = NEW.organization_id AND id <> NEW.id
                AND starts_on <= NEW.ends_on AND ends_on >= NEW.starts_on) THEN
    RAISE EXCEPTION 'terms do not overlap' USING ERRCODE = 'restrict_violation', CONSTRAINT = 'terms_no_overlap';
  END IF;
  RETURN NEW;
END $$;

CREATE OR REPLACE TRIGGER terms_apart BEFORE INSERT OR UPDATE OF starts_on, ends_on ON terms
  FOR EACH ROW EXECUTE FUNCTION app.keep_terms_apart();
