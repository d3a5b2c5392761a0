-- Erases one import, in any organization, that was not touched for 30 days, because lists of people who did not become
-- members are not kept longer. An unconfirmed import ends and loses its lines and file; a confirmed one loses the
-- contents of lines without a membership. Lines are locked in the order of their numbers, as in all transactions.
-- Returns false if there is no import to erase.
CREATE OR REPLACE FUNCTION app.forget_import() RETURNS boolean
  LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE
  old bulk_imports;
BEGIN
  SELECT * INTO old FROM bulk_imports
   WHERE step IS NULL AND lines_erased_at IS NULL AND updated_at < now() - interval '30 days'
   ORDER BY updated_at LIMIT 1 FOR UPDATE SKIP LOCKED;
  IF NOT FOUND THEN
    RETURN false;
  END IF;
  PERFORM FROM bulk_import_rows WHERE organization_id = old.organization_id AND import_id = old.id ORDER BY line FOR UPDATE;
  IF old.on_existing IS NULL THEN
    DELETE FROM bulk_import_rows WHERE organization_id = old.organization_id AND import_id = old.id;
  ELSE
    UPDATE bulk_import_rows SET cells = '[]', given = '{}', email = NULL, name_key = NULL, errors = '{}', warnings = '[]', changes = '{}'
     WHERE organization_id = old.organization_id AND import_id = old.id AND membership_id IS NULL;
  END IF;
  UPDATE stored_files SET status = 'removing', name = NULL
   WHERE organization_id = old.organization_id AND id = old.file_id AND status <> 'removing';
  UPDATE bulk_imports SET lines_erased_at = now(), outcome = coalesce(outcome, 'cancelled'), ended_at = coalesce(ended_at, now()),
         preview_hash = CASE WHEN on_existing IS NOT NULL THEN preview_hash END
   WHERE organization_id = old.organization_id AND id = old.id;
  RETURN true;
END $$;
REVOKE ALL ON FUNCTION app.forget_import() FROM PUBLIC;
GRANT EXECUTE ON FUNCTION app.forget_import() TO :"runtime";
