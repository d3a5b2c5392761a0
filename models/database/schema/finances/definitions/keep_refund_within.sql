-- Refuses refunds beyond the payment or its charge: reserved plus refunded amounts never exceed what was captured, and
-- money that the payer holds as credit is not refunded a second time. Locks the capture and the credit, so that
-- concurrent reservations see each other even if they share no other lock.
CREATE OR REPLACE FUNCTION app.keep_refund_within() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE chapter uuid; membership uuid;
BEGIN
  PERFORM FROM processor_captures c WHERE c.organization_id = NEW.organization_id AND c.id = NEW.capture_id FOR NO KEY UPDATE;
  IF NEW.of_credit THEN
    -- the credit may have moved to another membership since the invoice was paid
    SELECT coalesce(m.chapter_id, i.chapter_id), coalesce(m.id, i.membership_id) INTO chapter, membership FROM chapter_invoices i
      LEFT JOIN memberships m ON m.organization_id = i.organization_id AND m.id = NEW.credit_membership_id
     WHERE i.organization_id = NEW.organization_id AND i.id = NEW.invoice_id;
    PERFORM app.lock_credit(chapter, membership);
  END IF;
  IF EXISTS (SELECT FROM payment_records p WHERE p.organization_id = NEW.organization_id AND p.id = NEW.payment_record_id
       AND (p.status <> 'succeeded' OR p.invoice_id <> NEW.invoice_id
         OR app.refundable_of_payment(p.organization_id, p.id) < 0))
     OR EXISTS (SELECT FROM processor_captures c WHERE c.organization_id = NEW.organization_id AND c.id = NEW.capture_id
       AND app.refundable_of_capture(c.organization_id, c.id) < 0)
     OR (NEW.of_credit AND (
       app.credit_held(chapter, membership) < app.credit_reserved(NEW.organization_id, chapter, membership)
       OR app.credit_from_payment(NEW.organization_id, NEW.payment_record_id, chapter, membership) < (
         SELECT sum(r.amount_cents) FROM refunds r WHERE r.organization_id = NEW.organization_id
            AND r.payment_record_id = NEW.payment_record_id AND r.of_credit AND r.finished_at IS NULL
            AND r.credit_membership_id IS NOT DISTINCT FROM NEW.credit_membership_id))) THEN
    RAISE EXCEPTION 'refunds would exceed the captured amount of payment %', NEW.payment_record_id
      USING ERRCODE = 'check_violation', CONSTRAINT = 'refund_within_captured';
  END IF;
  RETURN NULL;
END $$;

CREATE OR REPLACE TRIGGER refunds_within AFTER INSERT ON refunds
  FOR EACH ROW EXECUTE FUNCTION app.keep_refund_within();
