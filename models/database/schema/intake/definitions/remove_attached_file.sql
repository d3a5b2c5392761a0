-- Removes the stored file when the row of an attachment or reference letter is deleted or gets another file, no matter
-- which code changes it.
CREATE OR REPLACE FUNCTION app.remove_attached_file() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM app.remove_file(OLD.organization_id, OLD.file_id);
  RETURN NULL;
END $$;
CREATE OR REPLACE TRIGGER pnm_attachments_removed AFTER DELETE ON pnm_attachments
  FOR EACH ROW EXECUTE FUNCTION app.remove_attached_file();
CREATE OR REPLACE TRIGGER pnm_reference_letters_removed AFTER DELETE ON pnm_reference_letters
  FOR EACH ROW WHEN (OLD.file_id IS NOT NULL) EXECUTE FUNCTION app.remove_attached_file();
