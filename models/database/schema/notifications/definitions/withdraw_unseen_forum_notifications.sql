-- Withdraws unread notifications of forums from people who no longer see the forum, or no longer decide the request or
-- the case.
CREATE OR REPLACE FUNCTION app.withdraw_unseen_forum_notifications(p_organization uuid, p_people uuid[])
  RETURNS void LANGUAGE sql AS $$
  SELECT app.withdraw_notifications(p_organization, ARRAY(
    SELECT n.id FROM notifications n
     CROSS JOIN LATERAL (SELECT app.forum_role(p_organization, n.recipient_id,
         app.forum_of_subject(p_organization, n.subject_type, n.subject_id)) AS role OFFSET 0) seen
     WHERE n.organization_id = p_organization AND n.recipient_id = ANY (p_people)
       AND n.unlisted_reason IS NULL AND n.read_at IS NULL
       AND n.subject_type IN ('forum_post', 'forum_case', 'forum_text', 'forum_membership')
       AND CASE WHEN n.notification_type IN ('forum_join_requested', 'forum_case_opened', 'forum_appeal_made')
                THEN coalesce(seen.role NOT IN ('moderator', 'admin'), true)
                WHEN n.subject_type <> 'forum_membership' THEN seen.role IS NULL END)) $$;
