-- Returns who is notified about applications to a chapter: people with the roles to which the organization routed the
-- event, or by default the officers. If no active person has these roles, returns the organization's admins, unless the
-- event is routed to mail addresses only.
CREATE OR REPLACE FUNCTION app.application_audience(organization uuid, chapter uuid, what text) RETURNS TABLE (user_id uuid)
LANGUAGE sql STABLE AS $$
  WITH routed AS (
    SELECT coalesce((SELECT route -> 'roles' FROM pnm_application_configs c, jsonb_array_elements(c.notification_routing) route
                      WHERE c.organization_id = $1 AND route ->> 'event' = $3), '["officers"]') AS roles),
  named AS (
    SELECT o.user_id FROM routed, officers_in_standing o
     WHERE routed.roles ? 'officers' AND o.organization_id = $1 AND o.chapter_id = $2
    UNION
    SELECT r.user_id FROM routed, chapters c
      JOIN regional_admins r ON r.organization_id = $1 AND r.region_id = c.region_id AND r.is_active
      JOIN users u ON u.id = r.user_id AND u.placeholder_in IS NULL
     WHERE routed.roles ? 'regional_admins' AND c.organization_id = $1 AND c.id = $2
    UNION
    SELECT admin.user_id FROM routed, app.active_admins($1) admin WHERE routed.roles ? 'organization_admins')
  SELECT named.user_id FROM named
  UNION ALL
  SELECT admin.user_id FROM routed, app.active_admins($1) admin
   WHERE jsonb_array_length(routed.roles) > 0 AND NOT EXISTS (SELECT FROM named)
$$;
