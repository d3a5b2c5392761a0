-- Ends the forum memberships, invitations and requests of people who lost their scope or standing: a membership no
-- longer gives access, an office ended, or a chapter moved to another region. Withdraws their notifications of forums that
-- they no longer see.
CREATE OR REPLACE FUNCTION app.end_forum_memberships() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  people uuid[];
BEGIN
  IF TG_TABLE_NAME = 'chapters' THEN
    people := ARRAY(SELECT m.user_id FROM memberships m WHERE m.organization_id = OLD.organization_id AND m.chapter_id = OLD.id
                    UNION
                    SELECT r.user_id FROM regional_admins r
                     WHERE r.organization_id = OLD.organization_id AND r.region_id = OLD.region_id);
  ELSE
    people := ARRAY[OLD.user_id];
  END IF;
  -- Locks the people, as everything does that makes a person a member: concurrent changes run one after the other, and
  -- each sees what the other one left. Then locks the forums, whose members are counted.
  PERFORM FROM users WHERE id = ANY (people) ORDER BY id FOR NO KEY UPDATE;
  PERFORM FROM forums f WHERE f.organization_id = OLD.organization_id AND f.id IN (
      SELECT m.forum_id FROM forum_memberships m
       WHERE m.organization_id = OLD.organization_id AND m.user_id = ANY (people)
         AND m.status IN ('active','invited','requested'))
    ORDER BY f.id FOR NO KEY UPDATE;
  UPDATE forum_memberships m SET status = 'ended', status_since = now(), invitation_expires_at = NULL
    FROM forums f
   WHERE m.organization_id = OLD.organization_id AND m.user_id = ANY (people)
     AND m.status IN ('active','invited','requested')
     AND f.organization_id = m.organization_id AND f.id = m.forum_id
     AND NOT app.keeps_forum_membership(m.organization_id, m.user_id, f.chapter_id, f.region_id,
                                        m.by_invitation OR m.status = 'invited');
  PERFORM app.withdraw_unseen_forum_notifications(OLD.organization_id, people);
  RETURN NULL;
END $$;

CREATE OR REPLACE TRIGGER memberships_forums AFTER UPDATE OF status ON memberships
  FOR EACH ROW WHEN (app.gives_access(OLD.status) AND NOT app.gives_access(NEW.status))
  EXECUTE FUNCTION app.end_forum_memberships();
CREATE OR REPLACE TRIGGER organization_admins_forums AFTER UPDATE OF is_active ON organization_admins
  FOR EACH ROW WHEN (OLD.is_active AND NOT NEW.is_active) EXECUTE FUNCTION app.end_forum_memberships();
CREATE OR REPLACE TRIGGER organization_admins_forums_removed AFTER DELETE ON organization_admins
  FOR EACH ROW WHEN (OLD.is_active) EXECUTE FUNCTION app.end_forum_memberships();
CREATE OR REPLACE TRIGGER regional_admins_forums AFTER UPDATE OF is_active, region_id ON regional_admins
  FOR EACH ROW WHEN (OLD.is_active AND (NOT NEW.is_active OR NEW.region_id <> OLD.region_id))
  EXECUTE FUNCTION app.end_forum_memberships();
CREATE OR REPLACE TRIGGER regional_admins_forums_removed AFTER DELETE ON regional_admins
  FOR EACH ROW WHEN (OLD.is_active) EXECUTE FUNCTION app.end_forum_memberships();
CREATE OR REPLACE TRIGGER chapters_forums AFTER UPDATE OF region_id ON chapters
  FOR EACH ROW WHEN (OLD.region_id IS DISTINCT FROM NEW.region_id) EXECUTE FUNCTION app.end_forum_memberships();
