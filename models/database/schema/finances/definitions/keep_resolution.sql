CREATE OR REPLACE FUNCTION app.keep_resolution() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION 'a finished resolution cannot be changed'
    USING ERRCODE = 'restrict_violation', CONSTRAINT = 'resolution_ended';
END $$;

CREATE OR REPLACE TRIGGER capture_resolutions_ended BEFORE UPDATE ON capture_resolutions FOR EACH ROW
  -- A refund that the provider reported as done may still fail, because the bank may return it.
  WHEN (OLD.status <> 'pending' AND NOT ((OLD.resolution, OLD.status, NEW.status) = ('refund', 'done', 'failed')
    AND coalesce(NEW.gateway_refund_id = OLD.gateway_refund_id, false)))
  EXECUTE FUNCTION app.keep_resolution();
