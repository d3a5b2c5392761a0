-- Ends an import, of whatever organization, that nobody confirmed and nobody has touched for 30 days, and erases its lines; one that
-- was cancelled before, or could not be read, too: a list of people that was never used is not kept. Its file, if there still is
-- one, goes with the next sweep of the store. Answers whether there was one.
CREATE OR REPLACE FUNCTION app.forget_import() RETURNS boolean
  LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE
  old bulk_imports;
BEGIN
  SELECT * INTO old FROM bulk_imports
   WHERE on_existing IS NULL AND step IS NULL AND lines_erased_at IS NULL AND updated_at < now() - interval '30 days'
   ORDER BY updated_at LIMIT 1 FOR UPDATE SKIP LOCKED;
  IF NOT FOUND THEN
    RETURN false;
  END IF;
  DELETE FROM bulk_import_rows WHERE organization_id = old.organization_id AND import_id = old.id;
  UPDATE stored_files SET status = 'removing', name = NULL
   WHERE organization_id = old.organization_id AND id = old.file_id AND status <> 'removing';
  UPDATE bulk_imports SET lines_erased_at = now(), outcome = coalesce(outcome, 'cancelled'), ended_at = coalesce(ended_at, now()),
         preview_hash = NULL
   WHERE organization_id = old.organization_id AND id = old.id;
  RETURN true;
END $$;
REVOKE ALL ON FUNCTION app.forget_import() FROM PUBLIC;
GRANT EXECUTE ON FUNCTION app.forget_import() TO :"runtime";
