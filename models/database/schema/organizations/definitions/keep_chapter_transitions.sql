-- Allows only these changes of a chapter's status: between active and suspended, from either of them to inactive, and
-- from inactive to active.
CREATE OR REPLACE FUNCTION app.keep_chapter_transitions() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION 'an inactive chapter must become active first'
    USING ERRCODE = 'restrict_violation', CONSTRAINT = 'chapter_transition';
END $$;

CREATE OR REPLACE TRIGGER chapters_transitions BEFORE UPDATE OF status ON chapters
  FOR EACH ROW WHEN (OLD.status = 'inactive' AND NEW.status = 'suspended')
  EXECUTE FUNCTION app.keep_chapter_transitions();
