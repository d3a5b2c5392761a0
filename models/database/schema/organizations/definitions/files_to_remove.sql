-- For the previous release, which knows only the platform's store; app.files_leaving_stores covers all stores. Claims
-- files to delete: discarded ones; uploads incomplete after an hour; documents of no request after a day; and roster
-- exports after three days. Recently discarded files are skipped, because they may still be arriving. Returns ids only.
CREATE OR REPLACE FUNCTION app.files_to_remove(p_most int) RETURNS TABLE (organization_id uuid, id uuid)
  LANGUAGE sql SECURITY DEFINER SET search_path = public, pg_temp AS $$
  UPDATE stored_files f SET status = 'removing'
   WHERE f.id IN (
     SELECT s.id FROM stored_files s
      WHERE s.storage_config_id IS NULL AND ((s.status = 'removing' AND s.created_at < now() - interval '10 minutes')
         OR (s.status = 'uploading' AND s.created_at < now() - interval '1 hour')
         OR (s.status = 'kept' AND s.purpose = 'request_document' AND s.shown_at IS NULL
             AND s.kept_at < now() - interval '1 day')
         OR (s.status = 'kept' AND s.purpose = 'roster_export' AND s.kept_at < now() - interval '3 days')
         OR (s.status = 'kept' AND s.purpose = 'invoice_export' AND s.kept_at < now() - interval '7 days')
         OR (s.status = 'kept' AND s.purpose = 'drawn_document' AND s.kept_at < now() - interval '1 hour'))
      ORDER BY s.created_at LIMIT p_most FOR UPDATE SKIP LOCKED)
  RETURNING f.organization_id, f.id $$;
REVOKE ALL ON FUNCTION app.files_to_remove(int) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION app.files_to_remove(int) TO :"runtime";
