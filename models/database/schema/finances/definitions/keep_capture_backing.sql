-- Refuses a refund of captured money while credit that this money backs has not been reversed.
CREATE OR REPLACE FUNCTION app.keep_capture_backing() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF EXISTS (SELECT FROM capture_resolutions r WHERE r.organization_id = NEW.organization_id AND r.capture_id = NEW.id
       AND app.credit_of_resolution(r.organization_id, r.id) > NEW.amount_cents - NEW.refunded_cents) THEN
    RAISE EXCEPTION 'credit is still backed by the refunded amount of capture %', NEW.id
      USING ERRCODE = 'check_violation', CONSTRAINT = 'credit_backed';
  END IF;
  RETURN NULL;
END $$;

CREATE OR REPLACE TRIGGER captures_backing AFTER UPDATE OF amount_cents, refunded_cents ON processor_captures
  FOR EACH ROW EXECUTE FUNCTION app.keep_capture_backing();
