-- Starts the process of a reference letter when the letter is requested, or requested again because its file was
-- refused. Signals the process when the letter is no longer needed. A trigger does this for every code path.
CREATE OR REPLACE FUNCTION app.follow_reference_letter() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM app.enqueue('referenceLetter', 'reference-letter/' || NEW.id,
                      jsonb_build_object('organizationId', NEW.organization_id, 'letterId', NEW.id),
                      CASE TG_OP WHEN 'UPDATE' THEN 'changed' END);
  RETURN NULL;
END $$;
CREATE OR REPLACE TRIGGER pnm_reference_letters_begin AFTER INSERT ON pnm_reference_letters
  FOR EACH ROW WHEN (NEW.status = 'requested') EXECUTE FUNCTION app.follow_reference_letter();
CREATE OR REPLACE TRIGGER pnm_reference_letters_end AFTER UPDATE OF status ON pnm_reference_letters
  FOR EACH ROW WHEN ((OLD.status = 'requested') <> (NEW.status = 'requested')) EXECUTE FUNCTION app.follow_reference_letter();
