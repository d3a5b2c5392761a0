-- Resolves notifications whose requested action is done: marks them read and resolved for every recipient, and
-- cancels pending deliveries. Locks rows in id order, as marking as read does.
CREATE OR REPLACE FUNCTION app.resolve_notifications(p_organization uuid, p_type text, p_subjects uuid[])
  RETURNS TABLE ("user" uuid, ids uuid[]) LANGUAGE sql AS $$
  WITH resolved AS (
    UPDATE notifications n SET read_at = coalesce(n.read_at, now()), resolved_at = now()
      FROM (SELECT id FROM notifications
             WHERE organization_id = p_organization AND subject_id = ANY(p_subjects) AND subject_type = p_type
               AND requires_action AND resolved_at IS NULL
             ORDER BY id FOR NO KEY UPDATE) open
     WHERE n.organization_id = p_organization AND n.id = open.id RETURNING n.id, n.recipient_id)
  SELECT recipient_id, array_agg(id) FROM resolved GROUP BY recipient_id $$;
