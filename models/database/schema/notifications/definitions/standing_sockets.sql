-- Checks realtime connections, which may belong to many organizations. For each connection, given by session, person,
-- organization and switch count, returns its unread counts if it may stay open, and no row otherwise. Returns ids and
-- numbers only.
CREATE OR REPLACE FUNCTION app.standing_sockets(p_sessions uuid[], p_users uuid[], p_organizations uuid[], p_switches int[])
  RETURNS TABLE ("position" int, newest uuid, unread_count int, action_required_count int)
  LANGUAGE sql STABLE SECURITY DEFINER SET search_path = public, pg_temp AS $$
  SELECT g.at::int,
    (SELECT n.id FROM notifications n WHERE n.organization_id = o.id AND n.recipient_id = u.id
        AND n.unlisted_reason IS NULL AND (n.office_of IS NULL OR (SELECT app.offices_of(o.id, u.id)) && ARRAY[n.office_of, o.id])
      ORDER BY n.id DESC LIMIT 1),
    (SELECT count(*)::int FROM notifications n WHERE n.organization_id = o.id AND n.recipient_id = u.id
        AND n.unlisted_reason IS NULL AND n.read_at IS NULL
        AND (n.office_of IS NULL OR (SELECT app.offices_of(o.id, u.id)) && ARRAY[n.office_of, o.id])),
    (SELECT count(*)::int FROM notifications n WHERE n.organization_id = o.id AND n.recipient_id = u.id
        AND n.unlisted_reason IS NULL AND n.read_at IS NULL AND n.requires_action
        AND (n.office_of IS NULL OR (SELECT app.offices_of(o.id, u.id)) && ARRAY[n.office_of, o.id]))
   FROM unnest(p_sessions, p_users, p_organizations, p_switches) WITH ORDINALITY AS g (session, person, organization, moves, at)
   JOIN sessions s ON s.id = g.session AND s.user_id = g.person AND s.revoked_at IS NULL AND s.expires_at > now()
    AND s.switches = g.moves AND s.impersonation_id IS NULL
   JOIN users u ON u.id = s.user_id AND u.disabled_at IS NULL AND NOT u.must_change_password
   JOIN organizations o ON o.id = g.organization AND (o.is_active OR u.is_platform_admin)
  WHERE u.is_platform_admin OR (s.organization_id = o.id
    AND EXISTS (SELECT FROM affiliations f WHERE f.user_id = u.id AND f.organization_id = o.id)) $$;
REVOKE ALL ON FUNCTION app.standing_sockets(uuid[], uuid[], uuid[], int[]) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION app.standing_sockets(uuid[], uuid[], uuid[], int[]) TO :"runtime";
