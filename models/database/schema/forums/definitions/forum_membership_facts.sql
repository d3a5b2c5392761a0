-- Facts of an invitation or a request to join a forum for a notification, while it is open, or once it is decided.
CREATE OR REPLACE FUNCTION app.forum_membership_facts(p_organization uuid, p_membership uuid, p_recipient uuid, p_type text)
  RETURNS TABLE (facts jsonb) LANGUAGE sql STABLE AS $$
  SELECT jsonb_build_object('forum', f.name, 'forum_id', f.id, 'person', u.first_name || ' ' || u.last_name,
           'decision', CASE m.status WHEN 'active' THEN 'approved' ELSE 'rejected' END, 'note', coalesce(' ' || m.note, ''))
    FROM forum_memberships m
    JOIN forums f ON f.organization_id = m.organization_id AND f.id = m.forum_id
    JOIN users u ON u.id = m.user_id
   WHERE m.organization_id = p_organization AND m.id = p_membership
     AND CASE p_type
       WHEN 'forum_join_requested' THEN m.status = 'requested'
         AND app.forum_role(p_organization, p_recipient, m.forum_id) IN ('moderator', 'admin')
       WHEN 'forum_join_decided' THEN m.user_id = p_recipient AND m.decided_by IS NOT NULL
         AND m.status IN ('active', 'rejected')
       WHEN 'forum_invited' THEN m.user_id = p_recipient AND m.status = 'invited' AND m.invitation_expires_at > now() END $$;
