-- Ends the subscriptions of people who are no longer members of forums, and withdraws their unread notifications of these
-- forums. p_forums and p_users have one element for each membership.
CREATE OR REPLACE FUNCTION app.end_forum_subscriptions(p_organization uuid, p_forums uuid[], p_users uuid[])
  RETURNS void LANGUAGE sql AS $$
  DELETE FROM forum_subscriptions s USING unnest(p_forums, p_users) AS ended (forum_id, user_id)
   WHERE s.organization_id = p_organization AND s.forum_id = ended.forum_id AND s.user_id = ended.user_id;
  SELECT app.withdraw_notifications(p_organization, ARRAY(
    SELECT n.id FROM unnest(p_forums, p_users) AS ended (forum_id, user_id)
      JOIN notifications n ON n.organization_id = p_organization AND n.recipient_id = ended.user_id
       AND n.unlisted_reason IS NULL AND n.read_at IS NULL
     WHERE app.forum_of_subject(p_organization, n.subject_type, n.subject_id) = ended.forum_id)) $$;
