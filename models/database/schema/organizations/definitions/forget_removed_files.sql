-- Deletes the rows of files that were removed from their stores, of all organizations.
CREATE OR REPLACE FUNCTION app.forget_removed_files(p_ids uuid[]) RETURNS void
  LANGUAGE sql SECURITY DEFINER SET search_path = public, pg_temp AS $$
  DELETE FROM stored_files WHERE id = ANY (p_ids) AND status = 'removing' $$;
REVOKE ALL ON FUNCTION app.forget_removed_files(uuid[]) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION app.forget_removed_files(uuid[]) TO :"runtime";
