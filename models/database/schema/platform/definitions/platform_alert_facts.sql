-- Facts of a platform alert, for every recipient, unless it was cancelled.
CREATE OR REPLACE FUNCTION app.platform_alert_facts(p_organization uuid, p_alert uuid, p_recipient uuid, p_type text)
  RETURNS TABLE (facts jsonb) LANGUAGE sql STABLE AS $$
  SELECT jsonb_build_object('title', a.title, 'body', a.body) FROM platform_alerts a
   WHERE a.id = p_alert AND a.status <> 'cancelled' $$;
