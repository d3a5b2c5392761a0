-- Refuses to change a payment's status to one of lower rank. The ranks ascend from pending to failed to succeeded.
-- Webhooks arrive in any order, so an old one may come last.
CREATE OR REPLACE FUNCTION app.keep_payment_rank() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF array_position(ARRAY['pending','failed','succeeded'], NEW.status)
     < array_position(ARRAY['pending','failed','succeeded'], OLD.status) THEN
    RAISE EXCEPTION 'a payment status cannot change from % to %', OLD.status, NEW.status
      USING ERRCODE = 'restrict_violation', CONSTRAINT = 'payment_status_rank';
  END IF;
  RETURN NEW;
END $$;

CREATE OR REPLACE TRIGGER payment_records_rank BEFORE UPDATE OF status ON payment_records
  FOR EACH ROW EXECUTE FUNCTION app.keep_payment_rank();
