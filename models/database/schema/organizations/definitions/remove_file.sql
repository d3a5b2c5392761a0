-- For triggers that remove a file with its row: it is no longer readable, and its store deletes it.
CREATE OR REPLACE FUNCTION app.remove_file(p_organization uuid, p_file uuid) RETURNS void LANGUAGE sql AS $$
  UPDATE stored_files SET status = 'removing', name = NULL
   WHERE organization_id = p_organization AND id = p_file AND status IN ('held', 'kept') $$;
