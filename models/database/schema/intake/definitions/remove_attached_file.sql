-- What was attached goes with what it was attached to, and what is replaced goes, too, by whatever path.
CREATE OR REPLACE FUNCTION app.remove_attached_file() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM app.remove_file(OLD.organization_id, OLD.file_id);
  RETURN NULL;
END $$;
CREATE OR REPLACE TRIGGER pnm_attachments_removed AFTER DELETE ON pnm_attachments
  FOR EACH ROW EXECUTE FUNCTION app.remove_attached_file();
CREATE OR REPLACE TRIGGER pnm_reference_letters_removed AFTER DELETE ON pnm_reference_letters
  FOR EACH ROW WHEN (OLD.file_id IS NOT NULL) EXECUTE FUNCTION app.remove_attached_file();
