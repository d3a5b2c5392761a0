-- Updates a person's roster names in all organizations when the person's name changes.
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
