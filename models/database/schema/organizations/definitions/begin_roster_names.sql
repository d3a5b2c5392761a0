-- Inserts roster names of all memberships that a statement inserts, with locks as in keep_roster_name.sql.
CREATE OR REPLACE FUNCTION app.begin_roster_names() RETURNS trigger
  LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
BEGIN
  PERFORM FROM users WHERE id = ANY (ARRAY(SELECT user_id FROM added)) ORDER BY id FOR NO KEY UPDATE;
  -- With OFFSET 0, Postgres looks up each user by key, so that one generic plan is fast for one membership and for
  -- thousands.
  INSERT INTO roster_names (id, organization_id, chapter_id, user_id, name)
    SELECT a.id, a.organization_id, a.chapter_id, a.user_id, person.name
      FROM added a CROSS JOIN LATERAL (
        SELECT u.last_name || ' ' || u.first_name AS name FROM users u WHERE u.id = a.user_id OFFSET 0) person;
  RETURN NULL;
END $$;
REVOKE ALL ON FUNCTION app.begin_roster_names() FROM PUBLIC;

CREATE OR REPLACE TRIGGER memberships_roster_names_begin AFTER INSERT ON memberships
  REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION app.begin_roster_names();
