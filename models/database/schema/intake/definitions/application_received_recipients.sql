-- People who are notified of a new application, by the organization's routing.
CREATE OR REPLACE FUNCTION app.application_received_recipients(p_organization uuid, p_application uuid)
  RETURNS TABLE (user_id uuid) LANGUAGE sql STABLE AS $$
  SELECT who.user_id FROM pnm_applications a
   CROSS JOIN LATERAL app.application_audience(a.organization_id, a.chapter_id, 'application_received') who
   WHERE a.organization_id = p_organization AND a.id = p_application $$;
