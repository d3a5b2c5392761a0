-- For triggers of what a file goes with: nothing is read of it any more, and its store is to forget it.
CREATE OR REPLACE FUNCTION app.remove_file(p_organization uuid, p_file uuid) RETURNS void LANGUAGE sql AS $$
  UPDATE stored_files SET status = 'removing', name = NULL
   WHERE organization_id = p_organization AND id = p_file AND status IN ('held', 'kept') $$;
