-- Refuses changes of a decided or withdrawn request.
CREATE OR REPLACE FUNCTION app.keep_decided() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION 'this request is closed' USING ERRCODE = 'restrict_violation', CONSTRAINT = 'request_closed';
END $$;

CREATE OR REPLACE TRIGGER account_requests_decided BEFORE UPDATE ON account_requests FOR EACH ROW
  WHEN (OLD.status IN ('approved','rejected','withdrawn') AND (NEW.status, NEW.reviewed_by, NEW.reviewed_at)
    IS DISTINCT FROM (OLD.status, OLD.reviewed_by, OLD.reviewed_at))
  EXECUTE FUNCTION app.keep_decided();

CREATE OR REPLACE TRIGGER status_change_requests_decided BEFORE UPDATE ON status_change_requests FOR EACH ROW
  WHEN (OLD.status IN ('approved','rejected','withdrawn') AND (NEW.status, NEW.reviewed_by, NEW.reviewed_at)
    IS DISTINCT FROM (OLD.status, OLD.reviewed_by, OLD.reviewed_at))
  EXECUTE FUNCTION app.keep_decided();

CREATE OR REPLACE TRIGGER member_add_requests_decided BEFORE UPDATE ON member_add_requests FOR EACH ROW
  WHEN (OLD.status IN ('approved','rejected','withdrawn') AND (NEW.status, NEW.reviewed_by, NEW.reviewed_at)
    IS DISTINCT FROM (OLD.status, OLD.reviewed_by, OLD.reviewed_at))
  EXECUTE FUNCTION app.keep_decided();

CREATE OR REPLACE TRIGGER transfer_requests_decided BEFORE UPDATE ON transfer_requests FOR EACH ROW
  WHEN (OLD.status IN ('approved','rejected','withdrawn') AND (NEW.status, NEW.reviewed_by, NEW.reviewed_at)
    IS DISTINCT FROM (OLD.status, OLD.reviewed_by, OLD.reviewed_at))
  EXECUTE FUNCTION app.keep_decided();

CREATE OR REPLACE TRIGGER hand_over_requests_decided BEFORE UPDATE ON hand_over_requests FOR EACH ROW
  WHEN (OLD.status IN ('approved','rejected','withdrawn') AND (NEW.status, NEW.reviewed_by, NEW.reviewed_at)
    IS DISTINCT FROM (OLD.status, OLD.reviewed_by, OLD.reviewed_at))
  EXECUTE FUNCTION app.keep_decided();

CREATE OR REPLACE TRIGGER pnm_name_assignments_decided BEFORE UPDATE ON pnm_name_assignments FOR EACH ROW
  WHEN (OLD.status IN ('approved','rejected','withdrawn') AND (NEW.status, NEW.reviewed_by, NEW.reviewed_at)
    IS DISTINCT FROM (OLD.status, OLD.reviewed_by, OLD.reviewed_at))
  EXECUTE FUNCTION app.keep_decided();
