-- Updates roster names in all organizations when a person is renamed.
CREATE OR REPLACE FUNCTION app.rename_in_rosters() RETURNS trigger
  LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
BEGIN
  UPDATE roster_names SET name = NEW.last_name || ' ' || NEW.first_name WHERE user_id = NEW.id;
  RETURN NULL;
END $$;
REVOKE ALL ON FUNCTION app.rename_in_rosters() FROM PUBLIC;

CREATE OR REPLACE TRIGGER users_roster_names AFTER UPDATE OF first_name, last_name ON users FOR EACH ROW
  WHEN (NEW.first_name <> OLD.first_name OR NEW.last_name <> OLD.last_name)
  EXECUTE FUNCTION app.rename_in_rosters();

-- Existing memberships. Creating the triggers takes the locks that keep writers out until this is done.
INSERT INTO roster_names (id, organization_id, chapter_id, user_id, name)
  SELECT m.id, m.organization_id, m.chapter_id, u.id, u.last_name || ' ' || u.first_name
    FROM memberships m JOIN users u ON u.id = m.user_id
   WHERE NOT EXISTS (SELECT FROM roster_names n WHERE n.organization_id = m.organization_id AND n.id = m.id);
-- guards follow in the same transaction: a table with pending deferred checks cannot be altered
SET CONSTRAINTS ALL IMMEDIATE;
