-- Whether readers of a forum see a text: a post or, with p_comment, a comment on it. A post that waits for a decision or
-- was removed hides its comments.
CREATE OR REPLACE FUNCTION app.shows_forum_text(p_organization uuid, p_post uuid, p_comment uuid) RETURNS boolean
  LANGUAGE sql STABLE AS $$
  SELECT EXISTS (SELECT FROM forum_posts p
    LEFT JOIN forum_comments c ON c.organization_id = p.organization_id AND c.post_id = p.id AND c.id = p_comment
     WHERE p.organization_id = p_organization AND p.id = p_post AND p.status = 'published'
       AND CASE WHEN p_comment IS NULL THEN p.deleted_at IS NULL
                ELSE c.deleted_at IS NULL AND c.status = 'published' END) $$;
