-- Whether a user with a role in a forum sees the comments on a post there. A removed post hides its comments from all but
-- moderators.
CREATE OR REPLACE FUNCTION app.sees_forum_comments(p_post_status text, p_post_author uuid, p_user uuid, p_role text)
  RETURNS boolean LANGUAGE sql STABLE AS $$
  SELECT p_post_status = 'published' OR (p_post_status <> 'removed' AND p_post_author = p_user)
    OR p_role IN ('moderator', 'admin') $$;
