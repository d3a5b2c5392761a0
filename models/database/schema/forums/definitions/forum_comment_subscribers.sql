-- Audience of a comment: people subscribed to replies in its thread or, without a row for the thread, in its forum; except
-- the author.
CREATE OR REPLACE FUNCTION app.forum_comment_subscribers(p_organization uuid, p_comment uuid) RETURNS TABLE (user_id uuid)
  LANGUAGE sql STABLE AS $$
  SELECT s.user_id FROM forum_comments c
    JOIN forum_subscriptions s ON s.organization_id = c.organization_id AND s.post_id = c.post_id
     AND s.replies AND s.user_id <> c.author_id
   WHERE c.organization_id = p_organization AND c.id = p_comment
  UNION ALL
  SELECT s.user_id FROM forum_comments c
    JOIN forum_subscriptions s ON s.organization_id = c.organization_id AND s.forum_id = c.forum_id
     AND s.post_id IS NULL AND s.replies AND s.user_id <> c.author_id
   WHERE c.organization_id = p_organization AND c.id = p_comment
     AND NOT EXISTS (SELECT FROM forum_subscriptions t
       WHERE t.organization_id = c.organization_id AND t.post_id = c.post_id AND t.user_id = s.user_id) $$;
