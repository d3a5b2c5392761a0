-- Refuses a refund of a payment while credit that this payment backs has not been reversed.
CREATE OR REPLACE FUNCTION app.keep_payment_backing() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE backed bigint := app.credit_of_payment(NEW.organization_id, NEW.id);
BEGIN
  IF backed > 0 AND backed > NEW.amount_cents - NEW.refunded_cents THEN
    RAISE EXCEPTION 'credit is still backed by the refunded amount of payment %', NEW.id
      USING ERRCODE = 'check_violation', CONSTRAINT = 'credit_backed';
  END IF;
  RETURN NULL;
END $$;

CREATE OR REPLACE TRIGGER payment_records_backing
  AFTER UPDATE OF amount_cents, refunded_cents, status ON payment_records
  FOR EACH ROW EXECUTE FUNCTION app.keep_payment_backing();
