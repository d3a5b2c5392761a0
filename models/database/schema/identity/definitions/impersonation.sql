-- Returns the facts of an active impersonation. It is called for every request of the impersonating session, and
-- returns null once the impersonation has ended.
CREATE OR REPLACE FUNCTION app.impersonation(p_id uuid, p_session uuid, p_user uuid) RETURNS json
  LANGUAGE sql STABLE AS $$
  SELECT json_build_object('id', i.id, 'actor_id', i.actor_id, 'organization_id', i.organization_id,
                           'ends_at', i.ends_at, 'deadline', extract(epoch FROM i.ends_at)::bigint)
    FROM impersonations i
    JOIN sessions own ON own.id = i.actor_session_id AND own.user_id = i.actor_id AND own.revoked_at IS NULL
     AND own.expires_at > now()
    JOIN memberships m ON m.organization_id = i.organization_id AND m.id = i.membership_id AND m.user_id = i.user_id
   CROSS JOIN LATERAL app.impersonable(m.user_id, m.status, i.actor_id)
   WHERE i.organization_id = app.org_id() AND i.id = p_id AND i.session_id = p_session AND i.user_id = p_user
     AND i.ends_at > now() AND app.may_impersonate(i.actor_id) $$;
