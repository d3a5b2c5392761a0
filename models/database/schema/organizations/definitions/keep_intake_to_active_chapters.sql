-- Refuses that a prospective member becomes a member (a crossing), or is re-opened as a prospect, in a chapter that is
-- not active, no matter which code writes it. Waits for a concurrent suspension of the chapter. Reverting a crossing is
-- allowed.
CREATE OR REPLACE FUNCTION app.keep_intake_to_active_chapters() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM FROM chapters c WHERE c.organization_id = NEW.organization_id AND c.id = NEW.chapter_id AND c.status = 'active'
    FOR SHARE;
  IF NOT FOUND THEN
    RAISE EXCEPTION 'a chapter that is not active has no intake'
      USING ERRCODE = 'restrict_violation', CONSTRAINT = 'chapter_not_active';
  END IF;
  RETURN NEW;
END $$;

CREATE OR REPLACE TRIGGER memberships_intake_of_active_chapters BEFORE UPDATE OF status ON memberships
  FOR EACH ROW WHEN (NEW.status = 'pnm' AND OLD.status IN ('inactive', 'disaffiliated')
                     OR OLD.status = 'pnm' AND NEW.status NOT IN ('pnm', 'inactive', 'disaffiliated'))
  EXECUTE FUNCTION app.keep_intake_to_active_chapters();
