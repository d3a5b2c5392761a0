-- Refuses writing or publishing bulletins of a chapter that is not active. Withdrawing them is allowed.
CREATE OR REPLACE FUNCTION app.keep_bulletins_to_active_chapters() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM FROM chapters c WHERE c.organization_id = NEW.organization_id AND c.id = NEW.chapter_id AND c.status = 'active'
    FOR SHARE;
  IF NOT FOUND AND EXISTS (SELECT FROM chapters c WHERE c.organization_id = NEW.organization_id AND c.id = NEW.chapter_id) THEN
    RAISE EXCEPTION 'a chapter that is not active cannot publish bulletins'
      USING ERRCODE = 'restrict_violation', CONSTRAINT = 'chapter_not_active';
  END IF;
  RETURN NEW;
END $$;

CREATE OR REPLACE TRIGGER bulletins_of_active_chapters BEFORE INSERT ON bulletins
  FOR EACH ROW WHEN (NEW.chapter_id IS NOT NULL) EXECUTE FUNCTION app.keep_bulletins_to_active_chapters();
CREATE OR REPLACE TRIGGER bulletins_published_in_active_chapters BEFORE UPDATE OF publish_at ON bulletins
  FOR EACH ROW WHEN (NEW.chapter_id IS NOT NULL AND NEW.publish_at IS NOT NULL AND NEW.publish_at IS DISTINCT FROM OLD.publish_at)
  EXECUTE FUNCTION app.keep_bulletins_to_active_chapters();
