-- Maintains the number of active members of a forum.
CREATE OR REPLACE FUNCTION app.count_forum_members() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'INSERT' THEN
    UPDATE forums f SET member_count = member_count + changed.number
      FROM (SELECT organization_id, forum_id, count(*)::int AS number FROM added WHERE status = 'active' GROUP BY 1, 2) changed
     WHERE f.organization_id = changed.organization_id AND f.id = changed.forum_id;
  ELSE
    UPDATE forums f SET member_count = member_count + changed.number
      FROM (SELECT organization_id, forum_id, sum(one)::int AS number FROM (
              SELECT organization_id, forum_id, 1 AS one FROM added WHERE status = 'active'
              UNION ALL
              SELECT organization_id, forum_id, -1 FROM replaced WHERE status = 'active') each
             GROUP BY 1, 2 HAVING sum(one) <> 0) changed
     WHERE f.organization_id = changed.organization_id AND f.id = changed.forum_id;
  END IF;
  RETURN NULL;
END $$;

CREATE OR REPLACE TRIGGER forum_memberships_count_added AFTER INSERT ON forum_memberships
  REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION app.count_forum_members();
CREATE OR REPLACE TRIGGER forum_memberships_count_changed AFTER UPDATE ON forum_memberships
  REFERENCING OLD TABLE AS replaced NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION app.count_forum_members();
