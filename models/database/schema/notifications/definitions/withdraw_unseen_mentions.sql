-- Withdraws unread mentions in a forum from people who no longer see it. Other notifications go to members only.
CREATE OR REPLACE FUNCTION app.withdraw_unseen_mentions(p_organization uuid, p_forum uuid) RETURNS void LANGUAGE sql AS $$
  SELECT app.withdraw_notifications(p_organization, ARRAY(
    SELECT n.id FROM forum_posts p
      JOIN notifications n ON n.organization_id = p_organization AND n.subject_id = p.id AND n.event_type = 'mention'
       AND n.unlisted_reason IS NULL AND n.read_at IS NULL
     WHERE p.organization_id = p_organization AND p.forum_id = p_forum
       AND app.forum_role(p_organization, n.recipient_id, p_forum) IS NULL)) $$;
