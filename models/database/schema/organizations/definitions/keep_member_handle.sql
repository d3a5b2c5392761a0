-- Adds a handle for each person who gets access to an organization. Placeholders have no affiliation, so they get theirs
-- when they accept.
CREATE OR REPLACE FUNCTION app.keep_member_handle() RETURNS trigger
  LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
BEGIN
  PERFORM app.add_member_handle(NEW.organization_id, NEW.user_id);
  RETURN NULL;
END $$;
REVOKE ALL ON FUNCTION app.keep_member_handle() FROM PUBLIC;

CREATE OR REPLACE TRIGGER affiliations_handle AFTER INSERT ON affiliations
  FOR EACH ROW EXECUTE FUNCTION app.keep_member_handle();

-- Adds the handles of people who had access before this trigger existed.
SELECT app.add_member_handle(organization_id, user_id)
  FROM (SELECT DISTINCT organization_id, user_id FROM affiliations ORDER BY organization_id, user_id) people;
