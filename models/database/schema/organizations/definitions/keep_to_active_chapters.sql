-- Refuses new members, and requests for new members, in a chapter that is not active, no matter which code inserts
-- them. Waits for a concurrent suspension of the chapter.
CREATE OR REPLACE FUNCTION app.keep_to_active_chapters() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM FROM chapters c WHERE (c.organization_id, c.id) IN (SELECT organization_id, chapter_id FROM added)
    ORDER BY c.id FOR SHARE;
  IF EXISTS (SELECT FROM chapters c WHERE c.status <> 'active'
                AND (c.organization_id, c.id) IN (SELECT organization_id, chapter_id FROM added)) THEN
    RAISE EXCEPTION 'a chapter that is not active cannot take new members'
      USING ERRCODE = 'restrict_violation', CONSTRAINT = 'chapter_not_active';
  END IF;
  RETURN NULL;
END $$;

CREATE OR REPLACE TRIGGER memberships_to_active_chapters AFTER INSERT ON memberships
  REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION app.keep_to_active_chapters();
CREATE OR REPLACE TRIGGER member_add_requests_to_active_chapters AFTER INSERT ON member_add_requests
  REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION app.keep_to_active_chapters();
CREATE OR REPLACE TRIGGER status_change_requests_to_active_chapters AFTER INSERT ON status_change_requests
  REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION app.keep_to_active_chapters();
CREATE OR REPLACE TRIGGER hand_over_requests_to_active_chapters AFTER INSERT ON hand_over_requests
  REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION app.keep_to_active_chapters();
