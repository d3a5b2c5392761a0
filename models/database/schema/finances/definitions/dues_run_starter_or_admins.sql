-- Person who started a dues run; all admins if the run stopped because that person had lost the right to it.
CREATE OR REPLACE FUNCTION app.dues_run_starter_or_admins(p_organization uuid, p_run uuid) RETURNS TABLE (user_id uuid)
  LANGUAGE sql STABLE AS $$
  SELECT who.user_id FROM dues_runs r CROSS JOIN LATERAL (
      SELECT r.started_by AS user_id WHERE r.status <> 'stopped_right_lost'
      UNION ALL
      SELECT a.user_id FROM app.active_admins(r.organization_id) a WHERE r.status = 'stopped_right_lost') who
   WHERE r.organization_id = p_organization AND r.id = p_run $$;
