-- Whether the next read, or the first text, makes a user a member of a forum: it is open, and the user may join and has
-- neither left nor been removed.
CREATE OR REPLACE FUNCTION app.joins_by_reading(p_organization uuid, p_user uuid, p_forum uuid) RETURNS boolean
  LANGUAGE sql STABLE AS $$
  SELECT EXISTS (SELECT FROM forums f
    WHERE f.organization_id = p_organization AND f.id = p_forum AND f.visibility = 'open' AND NOT f.is_archived
      AND NOT EXISTS (SELECT FROM forum_memberships m
        WHERE m.organization_id = p_organization AND m.forum_id = f.id AND m.user_id = p_user AND m.status <> 'ended')
      AND app.may_join_forum(p_organization, p_user, f.chapter_id, f.region_id)) $$;
