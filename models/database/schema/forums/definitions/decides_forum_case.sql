-- Whether a user decides a case about a text of a forum now. Moderators and admins of the forum decide, by role or office;
-- an admin of the organization or the platform decides an appeal, and not the one who removed the text. Their own texts
-- are decided by others.
CREATE OR REPLACE FUNCTION app.decides_forum_case(
  p_organization uuid, p_user uuid, p_forum uuid, p_author uuid, p_status text, p_decided_by uuid)
  RETURNS boolean LANGUAGE sql STABLE AS $$
  SELECT p_author <> p_user AND CASE p_status
    WHEN 'open' THEN app.forum_role(p_organization, p_user, p_forum) IN ('moderator', 'admin')
    WHEN 'appealed' THEN p_decided_by <> p_user AND EXISTS (SELECT FROM users u
      WHERE u.id = p_user AND u.disabled_at IS NULL AND (u.is_platform_admin OR EXISTS (SELECT FROM organization_admins a
        WHERE a.organization_id = p_organization AND a.user_id = p_user AND a.is_active)))
    ELSE false END $$;
