-- Refuses deleting the subject of a pending request: it must be decided or withdrawn first.
CREATE OR REPLACE FUNCTION app.keep_waiting_requests() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION 'a pending request refers to this row'
    USING ERRCODE = 'restrict_violation', CONSTRAINT = 'hand_over_requests_waits';
END $$;

CREATE OR REPLACE TRIGGER hand_over_requests_waits BEFORE DELETE ON hand_over_requests FOR EACH ROW
  WHEN (OLD.status = 'pending') EXECUTE FUNCTION app.keep_waiting_requests();
