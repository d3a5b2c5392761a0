-- Keeps uploaded files immutable: a file to be removed does not come back, because its bytes may be gone; a
-- quarantined file is released only by the scanner's verdict, which is final.
CREATE OR REPLACE FUNCTION app.keep_stored_file() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF (OLD.status = 'removing' AND NEW.status <> 'removing') OR (OLD.status = 'kept' AND NEW.status NOT IN ('kept', 'removing'))
     OR (OLD.status = 'held' AND (NEW.status = 'uploading' OR (NEW.status = 'kept' AND NEW.scan IS DISTINCT FROM 'clean')))
     OR (NEW.scan IS DISTINCT FROM OLD.scan AND OLD.status NOT IN ('uploading', 'held'))
     OR (OLD.status NOT IN ('held', 'kept') AND NEW.storage_config_id IS DISTINCT FROM OLD.storage_config_id)
     OR (OLD.status <> 'uploading' AND (NEW.sha256, NEW.size_bytes, NEW.media_type, NEW.kept_at)
         IS DISTINCT FROM (OLD.sha256, OLD.size_bytes, OLD.media_type, OLD.kept_at)) THEN
    RAISE EXCEPTION 'a stored file does not become another one' USING ERRCODE = 'integrity_constraint_violation';
  END IF;
  RETURN NEW;
END $$;
CREATE OR REPLACE TRIGGER stored_files_keep BEFORE UPDATE ON stored_files
  FOR EACH ROW EXECUTE FUNCTION app.keep_stored_file();
