-- Withdraws unread notifications of a forum from people who no longer see it: mentions, and those that authors got about
-- their own texts. Other notifications go to members only.
CREATE OR REPLACE FUNCTION app.withdraw_unseen_of_forum(p_organization uuid, p_forum uuid) RETURNS void LANGUAGE sql AS $$
  SELECT app.withdraw_notifications(p_organization, ARRAY(
    SELECT n.id FROM forum_posts p
      JOIN notifications n ON n.organization_id = p_organization AND n.subject_id = p.id AND n.event_type = 'mention'
       AND n.unlisted_reason IS NULL AND n.read_at IS NULL
     WHERE p.organization_id = p_organization AND p.forum_id = p_forum
       AND app.forum_role(p_organization, n.recipient_id, p_forum) IS NULL));
  SELECT app.withdraw_unseen_forum_notifications(p_organization, ARRAY(
    SELECT author.id FROM (
      SELECT p.author_id AS id FROM forum_posts p WHERE p.organization_id = p_organization AND p.forum_id = p_forum
      UNION
      SELECT c.author_id FROM forum_posts p
        JOIN forum_comments c ON c.organization_id = p_organization AND c.post_id = p.id
       WHERE p.organization_id = p_organization AND p.forum_id = p_forum) author
     WHERE app.forum_role(p_organization, author.id, p_forum) IS NULL)) $$;
