-- Removes the document of a withdrawn request.
CREATE OR REPLACE FUNCTION app.remove_withdrawn_document() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  UPDATE stored_files SET status = 'removing', name = NULL
   WHERE organization_id = NEW.organization_id AND id = NEW.document_id AND status IN ('held', 'kept');
  RETURN NULL;
END $$;
CREATE OR REPLACE TRIGGER status_change_requests_withdrawn AFTER UPDATE OF status ON status_change_requests FOR EACH ROW
  WHEN (NEW.status = 'withdrawn' AND OLD.status <> 'withdrawn' AND NEW.document_id IS NOT NULL)
  EXECUTE FUNCTION app.remove_withdrawn_document();
