-- The author of a post or a comment.
CREATE OR REPLACE FUNCTION app.forum_text_author(p_organization uuid, p_text uuid) RETURNS TABLE (user_id uuid)
  LANGUAGE sql STABLE AS $$
  SELECT p.author_id FROM forum_posts p WHERE p.organization_id = p_organization AND p.id = p_text
  UNION ALL
  SELECT c.author_id FROM forum_comments c WHERE c.organization_id = p_organization AND c.id = p_text $$;
