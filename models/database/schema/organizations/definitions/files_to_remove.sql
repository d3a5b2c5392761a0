-- For the release before, which knows of the platform's store alone; app.files_leaving_stores asks for all of them.
-- Claims files of all organizations whose bytes are to leave it: given up, still not uploaded after an hour, which is far longer
-- than an upload may take; a document that was shown with no request within a day; or a roster of three days ago: whoever wants
-- it fetches it by then, and it holds what people may have erased since. What was given up a moment ago may still be arriving
-- there. It answers with ids only.
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
