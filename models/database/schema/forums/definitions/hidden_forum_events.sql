-- Events of a thread whose texts readers no longer see. Their notifications are withdrawn.
CREATE OR REPLACE FUNCTION app.hidden_forum_events(p_organization uuid, p_post uuid) RETURNS TABLE (event_id text)
  LANGUAGE sql STABLE AS $$
  SELECT 'forum_post:' || p_post || ':post' WHERE NOT app.shows_forum_text(p_organization, p_post, NULL)
  UNION ALL
  SELECT 'forum_post:' || p_post || ':comment:' || c.id FROM forum_comments c
   WHERE c.organization_id = p_organization AND c.post_id = p_post
     AND NOT app.shows_forum_text(p_organization, p_post, c.id) $$;
