-- Loads the person who makes an authenticated request, and sets the transaction's tenant, timeout and time zone. One
-- statement does most of the work, because plpgsql prepares each further one anew in every transaction; tables for
-- which `affiliations` shows no rows of the user are not read. The tenant is set in an earlier statement than the one
-- that reads tenant tables, because a single statement would read them under the old tenant. p_whole is false if the
-- user only has to belong to the organization (an impersonation is always loaded in full). p_switches comes from the
-- access token: tokens issued before an organization switch are refused.
CREATE OR REPLACE FUNCTION app.load_actor(p_session uuid, p_user uuid, p_token_org uuid, p_header_org uuid,
                                          p_timeout_ms int, p_whole boolean, p_switches int) RETURNS json
  LANGUAGE plpgsql AS $$
DECLARE
  who record; regions json; impersonation json; answer json;
BEGIN
  SELECT u.id, u.email, u.first_name, u.last_name, u.is_platform_admin, u.must_change_password, s.client,
         s.auth_method, s.confined, s.auth_time > now() - interval '15 minutes' AS is_recent, s.impersonation_id,
         -- An impersonating session may only read, even if its transaction began as read-write.
         CASE WHEN s.impersonation_id IS NOT NULL THEN set_config('transaction_read_only', 'on', true) END,
         o.id AS organization_id, r.refusal,
         ARRAY(SELECT f.kind FROM affiliations f WHERE f.user_id = u.id AND f.organization_id = o.id) AS affiliations,
         set_config('app.organization_id',
                    CASE WHEN r.refusal IS NULL AND o.id IS NOT NULL THEN o.id::text ELSE '' END, true),
         set_config('statement_timeout', p_timeout_ms::text, true),
         CASE WHEN current_setting('timezone') <> 'UTC' THEN set_config('timezone', 'UTC', true) END
    INTO who
    FROM sessions s JOIN users u ON u.id = s.user_id
    LEFT JOIN organizations o ON o.id = CASE WHEN u.is_platform_admin THEN p_header_org ELSE p_token_org END
      AND (o.is_active OR u.is_platform_admin)
    CROSS JOIN LATERAL (SELECT CASE
      WHEN s.switches <> p_switches OR s.organization_id IS DISTINCT FROM p_token_org THEN 'token_superseded'
      WHEN u.is_platform_admin AND p_header_org IS NOT NULL AND o.id IS NULL THEN 'organization_not_found'
      WHEN NOT u.is_platform_admin AND p_header_org IS NOT NULL AND p_header_org IS DISTINCT FROM p_token_org
        THEN 'organization_forbidden' END AS refusal) r
   WHERE s.id = p_session AND s.user_id = p_user AND s.revoked_at IS NULL AND s.expires_at > now()
     AND u.disabled_at IS NULL;
  IF who.id IS NULL OR who.refusal IS NOT NULL THEN
    -- Reports whether the session has ended for good. The session of a disabled account has not, because the account
    -- may be enabled again.
    RETURN json_build_object('refusal', coalesce(who.refusal, 'session_ended'),
      'for_good', who.refusal IS NOT NULL OR NOT EXISTS (SELECT FROM sessions s
        WHERE s.id = p_session AND s.user_id = p_user AND s.revoked_at IS NULL AND s.expires_at > now()));
  END IF;
  IF NOT p_whole AND who.impersonation_id IS NULL THEN
    RETURN json_build_object(
      'session_id', p_session, 'client', who.client,
      'auth', json_build_object('method', who.auth_method, 'is_recent', who.is_recent, 'is_confined', who.confined),
      'user', json_build_object('id', who.id, 'email', who.email, 'first_name', who.first_name,
                                'last_name', who.last_name),
      'is_platform_admin', who.is_platform_admin, 'must_change_password', who.must_change_password,
      'organization_id', who.organization_id, 'belongs', who.affiliations <> '{}');
  END IF;

  -- The tenant is set by now, so tenant tables may be read from here on.
  IF who.impersonation_id IS NOT NULL THEN
    impersonation := app.impersonation(who.impersonation_id, p_session, p_user);
    IF impersonation IS NULL THEN RETURN json_build_object('refusal', 'session_ended'); END IF;
  END IF;
  IF 'regional_admin' = ANY (who.affiliations) THEN
    SELECT json_agg(json_build_object('id', a.region_id, 'role', a.role,
             'chapter_ids', (SELECT coalesce(json_agg(c.id), '[]') FROM chapters c
                WHERE c.organization_id = who.organization_id AND c.region_id = a.region_id)))
      INTO regions FROM regional_admins a
     WHERE a.organization_id = who.organization_id AND a.user_id = p_user AND a.is_active;
  END IF;
  SELECT json_build_object(
      'session_id', p_session, 'client', who.client,
      'auth', json_build_object('method', who.auth_method, 'is_recent', who.is_recent, 'is_confined', who.confined),
      'impersonation', impersonation,
      'user', json_build_object('id', who.id, 'email', who.email, 'first_name', who.first_name,
                                'last_name', who.last_name),
      'is_platform_admin', who.is_platform_admin, 'must_change_password', who.must_change_password,
      'organization_id', who.organization_id, 'is_organization_admin', 'organization_admin' = ANY (who.affiliations),
      'regions', coalesce(regions, '[]'),
      -- The foundation role counts only while an office or a membership gives access to the organization.
      'foundation_role', CASE WHEN who.affiliations <> '{}' THEN (SELECT a.role FROM foundation_admins a
         WHERE a.organization_id = who.organization_id AND a.user_id = p_user) END,
      'memberships', coalesce(json_agg(json_build_object('id', m.id, 'chapter_id', m.chapter_id,
        'role', m.role, 'status', m.status, 'leads_chapter', app.leads_chapter(m.role, m.status)) ORDER BY m.id), '[]'))
    INTO answer
    FROM memberships m WHERE m.organization_id = who.organization_id AND m.user_id = p_user;
  RETURN answer;
END $$;
