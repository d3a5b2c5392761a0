-- Refuses credit that exceeds the unrefunded amount of the payment that it came from, summed over all memberships of
-- the payer. A membership can pass on only credit that it received from this payment, and a recovery may not exceed the
-- shortfall. Locks the payment, so that a concurrent refund waits even if both transactions share no other lock.
CREATE OR REPLACE FUNCTION app.keep_credit_backed() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE original chapter_account_credits; payment payment_records; backed bigint;
BEGIN
  IF NEW.kind = 'reversed' THEN
    SELECT * INTO original FROM chapter_account_credits
     WHERE organization_id = NEW.organization_id AND id = NEW.reverses;
    IF original.kind IN ('shortfall','recovered','moved_out','moved_in') OR original.payment_record_id IS DISTINCT FROM NEW.payment_record_id
       OR original.invoice_id IS DISTINCT FROM NEW.invoice_id THEN
      RAISE EXCEPTION 'a reversal must name one whole entry of the same payment and invoice'
        USING ERRCODE = 'check_violation', CONSTRAINT = 'credit_reversal_matches';
    END IF;
  END IF;
  IF NEW.kind = 'recovered' AND app.credit_shortfall(NEW.organization_id, NEW.chapter_id, NEW.membership_id) < 0 THEN
    RAISE EXCEPTION 'a recovery may not exceed the shortfall'
      USING ERRCODE = 'check_violation', CONSTRAINT = 'credit_recovery_within_shortfall';
  END IF;
  IF NEW.payment_record_id IS NULL THEN RETURN NULL; END IF;
  SELECT p.* INTO payment FROM payment_records p
    JOIN chapter_invoices i ON i.organization_id = p.organization_id AND i.id = p.invoice_id
   WHERE p.organization_id = NEW.organization_id AND p.id = NEW.payment_record_id AND p.invoice_id = NEW.invoice_id
     AND p.status = 'succeeded'
     AND ((i.chapter_id = NEW.chapter_id AND i.membership_id IS NOT DISTINCT FROM NEW.membership_id)
       OR (NEW.kind <> 'issued' AND app.same_person(NEW.organization_id, i.membership_id, NEW.membership_id)))
     FOR NO KEY UPDATE OF p;
  backed := app.credit_of_payment(NEW.organization_id, NEW.payment_record_id);
  IF payment.id IS NULL OR backed < 0 OR backed > payment.amount_cents - payment.refunded_cents
     OR app.credit_from_payment(NEW.organization_id, NEW.payment_record_id, NEW.chapter_id, NEW.membership_id) < 0 THEN
    RAISE EXCEPTION 'a payment backs only credit of its own payer, up to its unrefunded amount'
      USING ERRCODE = 'check_violation', CONSTRAINT = 'credit_backed';
  END IF;
  RETURN NULL;
END $$;

CREATE OR REPLACE TRIGGER credits_backed AFTER INSERT ON chapter_account_credits
  FOR EACH ROW WHEN (NEW.kind IN ('reversed','recovered') OR NEW.payment_record_id IS NOT NULL)
  EXECUTE FUNCTION app.keep_credit_backed();
