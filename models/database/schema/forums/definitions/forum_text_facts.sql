-- Facts of a text for a notification about its thread, while readers see the text. A mention goes to everybody who sees
-- the forum, a reply and a new post to members and holders of an office. The cause is `post`, or names the comment:
-- `comment:<id>`.
CREATE OR REPLACE FUNCTION app.forum_text_facts(
  p_organization uuid, p_post uuid, p_recipient uuid, p_type text, p_cause text)
  RETURNS TABLE (facts jsonb) LANGUAGE sql STABLE AS $$
  SELECT jsonb_build_object('author', a.first_name || ' ' || a.last_name, 'title', coalesce(p.title, 'a deleted post'),
           'forum', f.name, 'forum_id', f.id, 'anchor', coalesce('#comment-' || c.id, ''))
    FROM forum_posts p
    JOIN forums f ON f.organization_id = p.organization_id AND f.id = p.forum_id
    LEFT JOIN forum_comments c ON c.organization_id = p.organization_id AND c.post_id = p.id
     AND c.id = CASE WHEN p_cause LIKE 'comment:%' THEN substr(p_cause, 9)::uuid END
    JOIN users a ON a.id = coalesce(c.author_id, p.author_id)
   WHERE p.organization_id = p_organization AND p.id = p_post
     AND (c.id IS NOT NULL OR p_cause NOT LIKE 'comment:%')
     AND app.shows_forum_text(p_organization, p_post, c.id)
     AND CASE WHEN p_type = 'forum_mention' THEN app.forum_role(p_organization, p_recipient, p.forum_id) IS NOT NULL
              WHEN p_type IN ('forum_reply', 'forum_new_post')
              THEN app.forum_role(p_organization, p_recipient, p.forum_id) <> 'reader' END $$;
