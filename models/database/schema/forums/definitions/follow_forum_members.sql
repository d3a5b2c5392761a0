-- Subscribes people who become members of a forum. Ends the subscriptions of people who lose their
-- membership, and withdraws their notifications of the forum. Resolves the notifications of invitations and requests
-- that were answered or have ended.
CREATE OR REPLACE FUNCTION app.follow_forum_members() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'INSERT' THEN
    PERFORM app.subscribe_to_forums(joined.organization_id, joined.forums, joined.people, joined.replies)
       FROM (SELECT n.organization_id, array_agg(n.forum_id) AS forums, array_agg(n.user_id) AS people,
                    array_agg(f.chapter_id IS NOT NULL) AS replies
               FROM added n JOIN forums f ON f.organization_id = n.organization_id AND f.id = n.forum_id
              WHERE n.status = 'active' GROUP BY n.organization_id) joined;
    RETURN NULL;
  END IF;
  PERFORM app.subscribe_to_forums(joined.organization_id, joined.forums, joined.people, joined.replies)
     FROM (SELECT n.organization_id, array_agg(n.forum_id) AS forums, array_agg(n.user_id) AS people,
                  array_agg(f.chapter_id IS NOT NULL) AS replies
             FROM added n JOIN replaced o ON o.id = n.id
             JOIN forums f ON f.organization_id = n.organization_id AND f.id = n.forum_id
            WHERE n.status = 'active' AND o.status <> 'active' GROUP BY n.organization_id) joined;
  PERFORM app.end_forum_subscriptions(ended.organization_id, ended.forums, ended.people)
     FROM (SELECT n.organization_id, array_agg(n.forum_id) AS forums, array_agg(n.user_id) AS people
             FROM added n JOIN replaced o ON o.id = n.id
            WHERE n.status <> 'active' AND o.status = 'active' GROUP BY n.organization_id) ended;
  PERFORM app.withdraw_unseen_forum_notifications(demoted.organization_id, demoted.people)
     FROM (SELECT n.organization_id, array_agg(n.user_id) AS people FROM added n JOIN replaced o ON o.id = n.id
            WHERE n.status = 'active' AND o.status = 'active' AND n.role <> o.role GROUP BY n.organization_id) demoted;
  PERFORM app.resolve_notifications(answered.organization_id, 'forum_membership', answered.ids)
     FROM (SELECT n.organization_id, array_agg(n.id) AS ids FROM added n JOIN replaced o ON o.id = n.id
            WHERE o.status IN ('invited', 'requested') AND (n.status, n.status_since) <> (o.status, o.status_since)
            GROUP BY n.organization_id) answered;
  RETURN NULL;
END $$;

CREATE OR REPLACE TRIGGER forum_memberships_follow_added AFTER INSERT ON forum_memberships
  REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION app.follow_forum_members();
CREATE OR REPLACE TRIGGER forum_memberships_follow_changed AFTER UPDATE ON forum_memberships
  REFERENCING OLD TABLE AS replaced NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION app.follow_forum_members();
