-- Claims stored files to delete, in all organizations: discarded files, uploads that are incomplete after an hour,
-- documents that are attached to no request and attachments of forums that are in no text after a day, roster exports
-- after three days (people may have erased data that they contain), invoice exports after seven days, and drawn documents
-- after an hour. Recently discarded files are skipped, because they may still be arriving. p_most limits the rows per
-- store, so that an unreachable store does not block others. Returns ids only.
CREATE OR REPLACE FUNCTION app.files_leaving_stores(p_most int)
  RETURNS TABLE (organization_id uuid, id uuid, storage_config_id uuid)
  LANGUAGE sql SECURITY DEFINER SET search_path = public, pg_temp AS $$
  WITH due AS MATERIALIZED (
    SELECT s.id, row_number() OVER (PARTITION BY s.storage_config_id ORDER BY s.created_at) AS nth FROM stored_files s
     WHERE (s.status = 'removing' AND s.created_at < now() - interval '10 minutes')
        OR (s.status = 'uploading' AND s.created_at < now() - interval '1 hour')
        OR (s.status IN ('held', 'kept') AND s.purpose IN ('request_document','forum_image','forum_document')
            AND s.shown_at IS NULL AND s.kept_at < now() - interval '1 day')
        OR (s.status = 'kept' AND s.purpose = 'roster_export' AND s.kept_at < now() - interval '3 days')
         OR (s.status = 'kept' AND s.purpose = 'invoice_export' AND s.kept_at < now() - interval '7 days')
         OR (s.status = 'kept' AND s.purpose = 'drawn_document' AND s.kept_at < now() - interval '1 hour'))
  UPDATE stored_files f SET status = 'removing'
   WHERE f.id IN (SELECT s.id FROM stored_files s JOIN due USING (id) WHERE due.nth <= p_most
                  FOR UPDATE OF s SKIP LOCKED)
  RETURNING f.organization_id, f.id, f.storage_config_id $$;
REVOKE ALL ON FUNCTION app.files_leaving_stores(int) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION app.files_leaving_stores(int) TO :"runtime";
