-- Facts of a case about a text of a forum for a notification, if the recipient may see it and the type's condition holds.
-- They never say who flagged the text. `office_of` is null for the author and for members with a role in the forum.
CREATE OR REPLACE FUNCTION app.forum_case_facts(p_organization uuid, p_case uuid, p_recipient uuid, p_type text)
  RETURNS TABLE (facts jsonb) LANGUAGE sql STABLE AS $$
  SELECT jsonb_build_object(
      'office_of', CASE
        WHEN p_recipient = k.author_id OR EXISTS (SELECT FROM forum_memberships m
          WHERE m.organization_id = k.organization_id AND m.forum_id = k.forum_id AND m.user_id = p_recipient
            AND m.status = 'active' AND m.role <> 'member') THEN NULL
        WHEN EXISTS (SELECT FROM app.appointed_admins(k.organization_id) a WHERE a.user_id = p_recipient)
          THEN k.organization_id
        ELSE f.chapter_id END,
      'forum', f.name, 'forum_id', f.id, 'post', k.post_id,
      'text', CASE WHEN k.comment_id IS NULL THEN 'post' ELSE 'comment' END,
      'decision', k.status,
      'reason', coalesce(' ' || CASE WHEN p_type = 'forum_appeal_decided' THEN k.appeal_reason ELSE k.reason END, ''))
    FROM forum_cases k JOIN forums f ON f.organization_id = k.organization_id AND f.id = k.forum_id
   WHERE k.organization_id = p_organization AND k.id = p_case
     AND CASE
       WHEN p_type IN ('forum_case_opened', 'forum_appeal_made') THEN
         k.status = CASE p_type WHEN 'forum_case_opened' THEN 'open' ELSE 'appealed' END
         AND app.decides_forum_case(k.organization_id, p_recipient, k.forum_id, k.author_id, k.status, k.decided_by)
       ELSE p_recipient = k.author_id AND app.forum_role(k.organization_id, p_recipient, k.forum_id) IS NOT NULL
         AND CASE p_type
           WHEN 'forum_text_hidden' THEN k.status = 'open' AND 'hidden' IN (
             SELECT p.status FROM forum_posts p WHERE p.organization_id = k.organization_id AND p.id = k.text_id
             UNION ALL
             SELECT c.status FROM forum_comments c WHERE c.organization_id = k.organization_id AND c.id = k.text_id)
           WHEN 'forum_case_decided' THEN k.decided_at IS NOT NULL AND k.appeal_decided_at IS NULL
           WHEN 'forum_appeal_decided' THEN k.appeal_decided_at IS NOT NULL END END $$;
