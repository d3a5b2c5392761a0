-- Number of cases that wait for a decision of a user. Only people with a role or an office have any.
CREATE OR REPLACE FUNCTION app.count_forum_cases(p_organization uuid, p_user uuid) RETURNS integer
  LANGUAGE sql STABLE AS $$
  SELECT count(*)::integer FROM forum_cases k
   WHERE k.organization_id = p_organization AND k.status IN ('open', 'appealed')
     AND (EXISTS (SELECT FROM forum_memberships m
            WHERE m.organization_id = p_organization AND m.user_id = p_user AND m.role <> 'member' AND m.status = 'active')
       OR EXISTS (SELECT FROM affiliations a
            WHERE a.organization_id = p_organization AND a.user_id = p_user AND a.kind <> 'member')
       OR EXISTS (SELECT FROM users u WHERE u.id = p_user AND u.is_platform_admin))
     AND app.decides_forum_case(p_organization, p_user, k.forum_id, k.author_id, k.status, k.decided_by) $$;
