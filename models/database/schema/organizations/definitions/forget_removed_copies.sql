-- Deletes the rows of copies that were removed from their stores, of all organizations.
CREATE OR REPLACE FUNCTION app.forget_removed_copies(p_ids uuid[]) RETURNS void
  LANGUAGE sql SECURITY DEFINER SET search_path = public, pg_temp AS $$
  DELETE FROM stored_file_copies WHERE id = ANY (p_ids) AND status = 'removing' $$;
REVOKE ALL ON FUNCTION app.forget_removed_copies(uuid[]) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION app.forget_removed_copies(uuid[]) TO :"runtime";
