-- Audience of a new post: people subscribed to new posts of its forum, except the author.
CREATE OR REPLACE FUNCTION app.forum_post_subscribers(p_organization uuid, p_post uuid) RETURNS TABLE (user_id uuid)
  LANGUAGE sql STABLE AS $$
  SELECT s.user_id FROM forum_posts p
    JOIN forum_subscriptions s ON s.organization_id = p.organization_id AND s.forum_id = p.forum_id
     AND s.post_id IS NULL AND s.new_posts AND s.user_id <> p.author_id
   WHERE p.organization_id = p_organization AND p.id = p_post $$;
