-- The role of a user in a forum, or null if the user cannot see it: admin, moderator, member or reader. All access to
-- forums is decided here. Admins of the organization and of the platform are admins of every forum; regional admins are
-- moderators in their region and its chapters. A reader is in the scope of an open forum and no member.
CREATE OR REPLACE FUNCTION app.forum_role(p_organization uuid, p_user uuid, p_forum uuid) RETURNS text
  LANGUAGE sql STABLE AS $$
  SELECT (
    SELECT CASE
        WHEN u.is_platform_admin OR m.role = 'admin' OR EXISTS (SELECT FROM organization_admins a
               WHERE a.organization_id = p_organization AND a.user_id = p_user AND a.is_active) THEN 'admin'
        WHEN m.role = 'moderator' OR EXISTS (SELECT FROM regional_admins r
               WHERE r.organization_id = p_organization AND r.user_id = p_user AND r.is_active
                 AND r.region_id = coalesce(f.region_id, c.region_id)) THEN 'moderator'
        WHEN m.role = 'member' THEN 'member'
        WHEN f.visibility = 'open' AND app.in_forum_scope(p_organization, p_user, f.chapter_id, f.region_id) THEN 'reader'
      END
      FROM forums f
      JOIN users u ON u.id = p_user AND u.disabled_at IS NULL
      LEFT JOIN chapters c ON c.organization_id = p_organization AND c.id = f.chapter_id
      LEFT JOIN forum_memberships m ON m.organization_id = p_organization AND m.forum_id = f.id AND m.user_id = p_user
        AND m.status = 'active'
        AND app.keeps_forum_membership(p_organization, p_user, f.chapter_id, f.region_id, m.by_invitation)
     WHERE f.organization_id = p_organization AND f.id = p_forum) $$;
