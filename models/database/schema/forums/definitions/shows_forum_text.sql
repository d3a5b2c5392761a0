-- Whether readers of a forum see a text. The state decides of a post and, with p_comment, of a comment on it.
CREATE OR REPLACE FUNCTION app.shows_forum_text(p_organization uuid, p_post uuid, p_comment uuid) RETURNS boolean
  LANGUAGE sql STABLE AS $$
  SELECT CASE WHEN p_comment IS NULL
    THEN EXISTS (SELECT FROM forum_posts p WHERE p.organization_id = p_organization AND p.id = p_post AND p.deleted_at IS NULL)
    ELSE EXISTS (SELECT FROM forum_comments c WHERE c.organization_id = p_organization AND c.post_id = p_post
      AND c.id = p_comment AND c.deleted_at IS NULL) END $$;
