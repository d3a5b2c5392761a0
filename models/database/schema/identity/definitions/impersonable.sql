-- Returns p_user if the admin p_actor may impersonate this member, and no row otherwise. Call it in FROM: Postgres then
-- inlines it.
CREATE OR REPLACE FUNCTION app.impersonable(p_user uuid, p_status text, p_actor uuid) RETURNS SETOF uuid
  LANGUAGE sql STABLE AS $$
  SELECT u.id FROM users u
   WHERE u.id = p_user AND u.id <> p_actor AND app.gives_access(p_status)
     AND NOT u.is_platform_admin AND NOT u.must_change_password AND u.disabled_at IS NULL
     -- The member holds no admin office in any organization.
     AND NOT EXISTS (SELECT FROM affiliations f WHERE f.user_id = u.id AND f.kind <> 'member') $$;
