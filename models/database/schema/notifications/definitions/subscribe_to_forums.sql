-- Subscribes new members to their forums: to new posts, and to replies in all threads where p_replies says so.
CREATE OR REPLACE FUNCTION app.subscribe_to_forums(
  p_organization uuid, p_forums uuid[], p_users uuid[], p_replies boolean[]) RETURNS void LANGUAGE sql AS $$
  INSERT INTO forum_subscriptions (organization_id, forum_id, user_id, new_posts, replies)
  SELECT p_organization, joined.forum_id, joined.user_id, true, joined.replies
    FROM unnest(p_forums, p_users, p_replies) AS joined (forum_id, user_id, replies)
   ORDER BY joined.forum_id, joined.user_id
  ON CONFLICT ON CONSTRAINT forum_subscriptions_once DO NOTHING $$;
