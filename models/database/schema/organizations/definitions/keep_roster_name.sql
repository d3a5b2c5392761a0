-- Maintains a membership's row in roster_names, which begin_roster_names.sql inserts. All functions that write roster
-- names lock the user's row first (for a rename the update of the user does this), so that they cannot deadlock.
CREATE OR REPLACE FUNCTION app.keep_roster_name() RETURNS trigger
  LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
BEGIN
  PERFORM FROM users WHERE id IN (OLD.user_id, NEW.user_id) ORDER BY id FOR NO KEY UPDATE;
  IF TG_OP = 'DELETE' THEN
    DELETE FROM roster_names WHERE organization_id = OLD.organization_id AND id = OLD.id;
    RETURN NULL;
  END IF;
  INSERT INTO roster_names (id, organization_id, chapter_id, user_id, name)
    SELECT NEW.id, NEW.organization_id, NEW.chapter_id, u.id, u.last_name || ' ' || u.first_name
      FROM users u WHERE u.id = NEW.user_id
    ON CONFLICT (organization_id, id) DO UPDATE
      SET chapter_id = excluded.chapter_id, user_id = excluded.user_id, name = excluded.name;
  RETURN NULL;
END $$;
REVOKE ALL ON FUNCTION app.keep_roster_name() FROM PUBLIC;

CREATE OR REPLACE TRIGGER memberships_roster_name AFTER DELETE OR UPDATE OF user_id, chapter_id ON memberships
  FOR EACH ROW EXECUTE FUNCTION app.keep_roster_name();
