-- Person who confirmed or reverted a rollover; all admins if the rollover stopped because that person had lost the
-- right to it.
CREATE OR REPLACE FUNCTION app.rollover_starter_or_admins(p_organization uuid, p_rollover uuid) RETURNS TABLE (user_id uuid)
  LANGUAGE sql STABLE AS $$
  SELECT who.user_id FROM rollovers r CROSS JOIN LATERAL (
      SELECT coalesce(r.reverted_by, r.started_by) AS user_id WHERE r.status NOT LIKE '%stopped_right_lost'
      UNION ALL
      SELECT a.user_id FROM app.active_admins(r.organization_id) a WHERE r.status LIKE '%stopped_right_lost') who
   WHERE r.organization_id = p_organization AND r.id = p_rollover $$;
