-- Facts of a post or a comment for a notification of its author, who still sees the forum.
CREATE OR REPLACE FUNCTION app.forum_edit_facts(p_organization uuid, p_text uuid, p_recipient uuid, p_type text)
  RETURNS TABLE (facts jsonb) LANGUAGE sql STABLE AS $$
  SELECT jsonb_build_object('forum', f.name, 'forum_id', f.id, 'post', t.post_id, 'text', t.kind)
    FROM (
      SELECT p.forum_id, p.id AS post_id, p.author_id, p.deleted_at, 'post' AS kind
        FROM forum_posts p WHERE p.organization_id = p_organization AND p.id = p_text
      UNION ALL
      SELECT c.forum_id, c.post_id, c.author_id, c.deleted_at, 'comment'
        FROM forum_comments c WHERE c.organization_id = p_organization AND c.id = p_text) t
    JOIN forums f ON f.organization_id = p_organization AND f.id = t.forum_id
   WHERE p_type = 'forum_text_changed' AND t.author_id = p_recipient AND t.deleted_at IS NULL
     AND app.forum_role(p_organization, p_recipient, f.id) IS NOT NULL $$;
