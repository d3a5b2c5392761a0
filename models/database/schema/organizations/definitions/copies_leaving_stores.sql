-- Claims stored copies of files to delete, in all organizations: source copies of a purged migration, copies of deleted
-- files, and copies that arrived for a deleted file. Recent copies are skipped, because they may still be arriving. A
-- copy in the storage that the file now uses is never claimed. p_most limits the rows per store. `claimed_at` keeps
-- migrations from taking over an object while it is deleted. Returns ids only.
CREATE OR REPLACE FUNCTION app.copies_leaving_stores(p_most int)
  RETURNS TABLE (organization_id uuid, id uuid, file_id uuid, storage_config_id uuid)
  LANGUAGE sql SECURITY DEFINER SET search_path = public, pg_temp AS $$
  WITH due AS MATERIALIZED (
    SELECT s.id, row_number() OVER (PARTITION BY s.storage_config_id ORDER BY s.noted_at) AS nth FROM stored_file_copies s
     WHERE ((s.status = 'removing' AND s.noted_at < now() - interval '10 minutes')
        OR (s.noted_at < now() - CASE s.status WHEN 'arriving' THEN interval '1 day' ELSE interval '10 minutes' END
            AND s.status IN ('left', 'arriving', 'missing')
            AND NOT EXISTS (SELECT FROM stored_files f WHERE f.id = s.file_id AND f.status <> 'removing')))
       AND NOT EXISTS (SELECT FROM stored_files f WHERE f.id = s.file_id AND f.status <> 'removing'
                        AND f.storage_config_id IS NOT DISTINCT FROM s.storage_config_id))
  UPDATE stored_file_copies c SET status = 'removing', claimed_at = now()
   WHERE c.id IN (SELECT s.id FROM stored_file_copies s JOIN due USING (id) WHERE due.nth <= p_most
                  FOR UPDATE OF s SKIP LOCKED)
  RETURNING c.organization_id, c.id, c.file_id, c.storage_config_id $$;
REVOKE ALL ON FUNCTION app.copies_leaving_stores(int) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION app.copies_leaving_stores(int) TO :"runtime";
