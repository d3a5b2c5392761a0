-- Nothing is given back twice: what is reserved and what went back is never more than was taken, of a payment and of its charge,
-- and what became credit of its payer is not given back as well. Whoever reserves holds the charge and the invoice.
CREATE OR REPLACE FUNCTION app.keep_refund_within() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF EXISTS (SELECT FROM payment_records p WHERE p.organization_id = NEW.organization_id AND p.id = NEW.payment_record_id
       AND (p.status <> 'succeeded' OR p.invoice_id <> NEW.invoice_id
         OR app.refundable_of_payment(p.organization_id, p.id) < 0))
     OR EXISTS (SELECT FROM processor_captures c WHERE c.organization_id = NEW.organization_id AND c.id = NEW.capture_id
       AND app.refundable_of_capture(c.organization_id, c.id) < 0) THEN
    RAISE EXCEPTION 'more would go back of payment % than it took', NEW.payment_record_id
      USING ERRCODE = 'check_violation', CONSTRAINT = 'refund_within_captured';
  END IF;
  RETURN NULL;
END $$;

CREATE OR REPLACE TRIGGER refunds_within AFTER INSERT ON refunds
  FOR EACH ROW EXECUTE FUNCTION app.keep_refund_within();
