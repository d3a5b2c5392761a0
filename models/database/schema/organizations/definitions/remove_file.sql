-- Marks a file for removal; for triggers that delete a row with its file. The file is no longer readable, and the sweep
-- deletes it from its store.
CREATE OR REPLACE FUNCTION app.remove_file(p_organization uuid, p_file uuid) RETURNS void LANGUAGE sql AS $$
  UPDATE stored_files SET status = 'removing', name = NULL
   WHERE organization_id = p_organization AND id = p_file AND status IN ('held', 'kept') $$;
